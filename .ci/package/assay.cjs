#!/usr/bin/env node
// The command of the package. In words that every Node knows, so that one too old to run Assay still says so in one line.
var numbers = process.versions.node.split('.').map(Number);
if (numbers[0] < 22 || (numbers[0] === 22 && numbers[1] < 19)) {
  console.error('assay: needs Node 22.19 or later, this is %s; install a newer one.', process.versions.node);
  process.exit(2);
}
require('./start.cjs');
