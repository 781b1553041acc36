/** How the verification of an applied fix ended, in words; `pending` until somebody tells. */
export const verificationText = (result: string | null): string =>
  result === 'pending' ? 'unverified' : `verification ${result ?? 'unknown'}`
