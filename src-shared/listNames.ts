export const listNames = (names: readonly string[], most = 5): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`
