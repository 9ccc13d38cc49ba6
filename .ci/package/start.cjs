// Starts the command: the code that Node compiled the last time is used again, here and in worker threads.
const module_ = require('node:module');
const { dirname } = require('node:path');
const { setFlagsFromString } = require('node:v8');

module_.enableCompileCache();
const cache = module_.getCompileCacheDir();
if (cache && !process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = dirname(cache);

// Threads that are started from here on keep young objects long enough to die young: a run makes and drops many. What
// is left of them is little, and several threads that collect it cost more than they save. More space than that saves
// no time, and 25 to 70 MiB of memory are lost.
setFlagsFromString('--min-semi-space-size=16');
setFlagsFromString('--max-semi-space-size=16');
setFlagsFromString('--no-parallel-scavenge');

import('./code/assay.js');
