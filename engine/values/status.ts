// Classifies a status by its first digit (RFC 9110, section 15), and names faults. 0 means no answer, and has no class.

export const is2xx = (status: number): boolean => status >= 200 && status < 300;
export const is3xx = (status: number): boolean => status >= 300 && status < 400;
export const is4xx = (status: number): boolean => status >= 400 && status < 500;
/** Also true for a status beyond 599. */
export const is5xx = (status: number): boolean => status >= 500;
/** Whether it is a fault of the server; 501 is not, since a client can act on it. */
export const isServerFault = (status: number): boolean => is5xx(status) && status !== 501;
