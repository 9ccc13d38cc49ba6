// The JSON Schema validator as one module, so that a package may hold it as one file. CommonJS, since it is loaded late and at once.
exports.Ajv2020 = require('ajv/dist/2020.js').Ajv2020;
exports.addFormats = require('ajv-formats').default;
