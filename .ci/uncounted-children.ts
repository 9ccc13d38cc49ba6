// Coverage counts what unit tests call themselves. Node hands NODE_V8_COVERAGE on to every process and thread that they
// start; counting those takes a quarter longer, and covers nothing that the tests beside the modules do not cover.
delete process.env.NODE_V8_COVERAGE;
