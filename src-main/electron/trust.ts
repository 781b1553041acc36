export const APP_SCHEME = 'app'
export const APP_HOST = 'bridgedeck'
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`

/** Electron gives null for a frame that is gone. */
export interface SenderFrame {
  readonly parent: unknown
  readonly origin: string
}

export function isTrustedSender(frame: SenderFrame | null): boolean {
  return frame !== null && frame.parent === null && frame.origin === APP_ORIGIN
}

/** No credentials. */
export function isWebAddress(address: string): boolean {
  const url = address.length > 2048 || /[\s\p{Cc}]/u.test(address) ? undefined : parseUrl(address)
  if (!url) return false
  const { protocol, username, password, hostname } = url
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' && hostname !== ''
}

/** `URL.canParse` and `URL.parse` are missing in the Node of the stand-in Electron. */
export function parseUrl(address: string): URL | undefined {
  try {
    return new URL(address)
  } catch {
    return undefined
  }
}
