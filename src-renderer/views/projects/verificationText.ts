export const verificationText = (result: string | null): string =>
  result === 'pending' ? 'unverified' : `verification ${result ?? 'unknown'}`
