/** How preload and main talk. Only those two files know: the page sees the functions of `PageApi`. */
export const requestChannel = 'bridgedeck:request'
export const eventChannel = 'bridgedeck:event'
export const portChannel = 'bridgedeck:port'

/** Of one drop that are told to main; those beyond are left. */
export const MAX_DROPPED_FILES = 50
