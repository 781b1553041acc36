import { AppError, toFailure } from '@shared/contract/errors'
import type { Session } from './session'

const CATEGORY = 'Data Streams'
const ITEM = 'Debug Stream Mode'
const CPU = '6510'

/** @throws AppError CONFLICT where the debug stream is set to other chips than the CPU */
export async function requireCpuCycles({ api }: Session, signal: AbortSignal): Promise<void> {
  // Firmware without the setting has no other mode.
  const items = await api.readConfiguration(CATEGORY, signal).catch((error: unknown) => {
    if (['NOT_FOUND', 'UNSUPPORTED'].includes(toFailure(error).code)) return []
    throw error
  })
  const mode = items.find(({ item }) => item === ITEM)?.value
  if (typeof mode !== 'string' || mode.includes(CPU)) return
  throw new AppError('CONFLICT', `The Ultimate’s debug stream does not show the CPU: its “${ITEM}” is “${mode}”.`, {
    hint: `Set it to “6510 Only” under Configuration > ${CATEGORY}.`,
  })
}
