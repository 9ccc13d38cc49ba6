/** Of k6, as `k6/go.mod` pins it; a test holds both together. */
export const k6Version = '2.2.0';
