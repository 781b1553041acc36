/** How preload and main talk. Only those two files know: the page sees the functions of `PageApi`. */
export const requestChannel = 'bridgedeck:request'
export const eventChannel = 'bridgedeck:event'
export const portChannel = 'bridgedeck:port'
