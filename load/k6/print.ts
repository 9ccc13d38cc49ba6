/** k6's own: there is no other way out of a script while it runs. */
declare const console: { log(line: string): void };

/** A line for Node, which reads what k6 logs. */
export const print = (line: string): void => console.log(line);
