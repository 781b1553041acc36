export const requestChannel = 'bridgedeck:request'
export const eventChannel = 'bridgedeck:event'
export const portChannel = 'bridgedeck:port'

/** The most files of one drop that main is told of; the rest is ignored. */
export const MAX_DROPPED_FILES = 50
