// Starts the command: the code that Node compiled the last time is used again, here and in worker threads.
const module_ = require('node:module');
const { dirname } = require('node:path');
const { setFlagsFromString } = require('node:v8');

module_.enableCompileCache();
const cache = module_.getCompileCacheDir();
if (cache && !process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = dirname(cache);

// Threads that are started from here on keep young objects long enough to die young: a run makes and drops many.
setFlagsFromString('--min-semi-space-size=16');

import('./code/assay.js');
