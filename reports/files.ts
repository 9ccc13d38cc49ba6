// The files a run leaves in its output folder, and whom each is for.
export const resultFile = 'result.json';
export const junitFile = 'junit.xml';

export const reportFiles: readonly { readonly name: string; readonly holds: string }[] = [
  { name: resultFile, holds: 'every check; failures and warnings with exchange and curl' },
  { name: junitFile, holds: 'the same for CI' },
];
