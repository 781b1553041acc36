import { safeStorage } from 'electron'
import { AppError } from '@shared/contract/errors'
import type { SecretStore } from './secrets'

/** Electron before 45, such as the stand-in, lacks the methods used here. */
const storage: Partial<typeof safeStorage> = safeStorage

async function limit(): Promise<string | null> {
  if (!(await storage.isAsyncEncryptionAvailable?.())) return 'This system has no secret store that Bridgedeck can use.'
  // Without a keyring, Linux falls back to a key from Chromium's source, which everybody knows.
  if (process.platform === 'linux' && storage.getSelectedStorageBackend?.() === 'basic_text') {
    return 'No keyring, such as GNOME Keyring or KWallet, is running on this desktop.'
  }
  return null
}

const missing = () => new AppError('UNSUPPORTED', 'This system has no secret store that Bridgedeck can use.')

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
