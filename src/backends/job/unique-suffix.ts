/** The unique end of each name that we give a job: "-" and eight hexadecimal digits (src/resolver/job-name.ts). */
export const UNIQUE_SUFFIX = /-[\da-f]{8}$/;
