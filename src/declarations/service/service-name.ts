import * as z from 'zod';

/** The name of a Service: an RFC 1035 label, which unlike other names may not start with a digit. */
export const serviceNameField = z
  .string()
  .regex(
    /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/,
    'expected at most 63 lower-case letters, digits and -, with a letter first and no - at the end',
  );
