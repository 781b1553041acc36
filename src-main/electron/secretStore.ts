import { safeStorage } from 'electron'
import { AppError } from '@shared/contract/errors'
import type { SecretStore } from './secrets'

/** Electron before 45 lacks what is asked for here; the stand-in is one of those. */
const storage: Partial<typeof safeStorage> = safeStorage

async function limit(): Promise<string | null> {
  if (!(await storage.isAsyncEncryptionAvailable?.())) return 'This system has no secret store that Bridgedeck can use.'
  // Without a keyring Linux falls back to a key that stands in Chromium's source: everybody has it.
  if (process.platform === 'linux' && storage.getSelectedStorageBackend?.() === 'basic_text') {
    return 'No keyring runs on this desktop, such as GNOME Keyring or KWallet.'
  }
  return null
}

const missing = () => new AppError('UNSUPPORTED', 'This system has no secret store that Bridgedeck can use.')

/** Electron's `safeStorage`: Keychain, DPAPI, or the Linux desktop's keyring. */
export const systemSecretStore: SecretStore = {
  limit,
  async seal(text) {
    if (!storage.encryptStringAsync) throw missing()
    return new Uint8Array(await storage.encryptStringAsync(text))
  },
  async open(sealed) {
    if (!storage.decryptStringAsync) throw missing()
    return (await storage.decryptStringAsync(Buffer.from(sealed))).result
  },
}
