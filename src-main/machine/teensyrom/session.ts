/** One connection to a TeensyROM, and what it said of itself. */
import { AppError } from '@shared/contract/errors'
import type { Capability } from '@shared/contract/machine'
import type { LinkAddress } from '@shared/contract/machineName'
import type { ByteStream } from '../bytestream/byteStream'
import { describeLink, open } from '../bytestream/open'
import type { DeviceSession } from '../deviceMachine'
import { TeensyRomClient } from './client'
import { isAtLeast, type Version } from './codec'

/** A device that boots talks by itself; a question is asked so many times. */
const MAX_ATTEMPTS = 3

/** From this version on, a read no longer waits for ever where the screen is blanked. */
const SAFE_WITH_BLANK_SCREEN = [0, 8]

interface Identity {
  readonly firmware: 'full' | 'minimal'
  readonly version: Version
  /** Why it reads no memory; null where it does. */
  readonly noMemory: string | null
}

export class TeensyRomSession implements DeviceSession {
  readonly client: TeensyRomClient
  readonly firmware: Identity['firmware']
  readonly version: Version
  readonly noMemory: string | null
  readonly #stream: ByteStream

  constructor(stream: ByteStream, client: TeensyRomClient, { firmware, version, noMemory }: Identity) {
    this.#stream = stream
    this.client = client
    this.firmware = firmware
    this.version = version
    this.noMemory = noMemory
  }

  get silence(): AppError | null {
    return this.client.silence
  }

  onLost(listener: (reason: AppError) => void): void {
    this.#stream.onClose(listener)
  }
}

export async function openSession(link: LinkAddress, signal: AbortSignal): Promise<TeensyRomSession> {
  const where = describeLink(link)
  const stream = await open(link, signal)
  const client = new TeensyRomClient(stream, where)
  try {
    return await identify(stream, client, where, signal)
  } catch (error) {
    await client.close()
    throw error
  }
}

/** What this board and firmware lack of what a TeensyROM offers. */
export function unsupportedBy({ firmware, noMemory }: TeensyRomSession) {
  if (noMemory === null) return {}
  return {
    readMemory: noMemory,
    writeMemory: noMemory,
    typeText: `Text goes through the C64’s memory. ${noMemory}`,
    ...(firmware === 'minimal' ? { files: MINIMAL, folders: MINIMAL, runFile: MINIMAL, pause: MINIMAL } : {}),
  } satisfies Partial<Record<Capability, string>>
}

/** Asks what it is. Throws UNREACHABLE where something else answers, TIMEOUT where nothing does. */
async function identify(
  stream: ByteStream,
  client: TeensyRomClient,
  where: string,
  signal: AbortSignal,
): Promise<TeensyRomSession> {
  try {
    await client.settle(signal)
    const firmware = await retry(client, signal, () => client.firmware(signal))
    const version = await retry(client, signal, () => client.version(signal))
    const noMemory =
      firmware === 'minimal' ? MINIMAL : await retry(client, signal, () => whyNoMemory(client, version, signal))
    return new TeensyRomSession(stream, client, { firmware, version, noMemory })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error
    throw new AppError('UNREACHABLE', `What answers at ${where} is not a TeensyROM.`, {
      hint: 'Check the port or the address.',
      cause: error,
    })
  }
}

/** While the device boots it says things by itself: a question is asked again. */
async function retry<Result>(
  client: TeensyRomClient,
  signal: AbortSignal,
  ask: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      const isWorthAsking = error instanceof AppError && (error.code === 'TIMEOUT' || error.code === 'CONFLICT')
      if (!isWorthAsking || attempt === MAX_ATTEMPTS) throw error
      await client.settle(signal)
    }
  }
}

const MINIMAL =
  'A large cartridge runs, and with it TeensyROM’s minimal firmware, which has no access to memory or files: reset the C64 to its menu, and connect again.'

async function whyNoMemory(client: TeensyRomClient, version: Version, signal: AbortSignal): Promise<string | null> {
  const said = await client.probeMemory(signal)
  if (said === null) return null
  const isPlus = version.text.includes('+')
  const why = isPlus ? 'this firmware does not read memory; 0.7.2.5 and later do' : 'reading memory takes a TeensyROM+'
  return `${version.text || 'This TeensyROM'} has no access to the C64’s memory: ${why}.`
}

export function noticesOf({ version, noMemory }: TeensyRomSession): string[] {
  const notices: string[] = []
  if (noMemory === null && !isAtLeast(version, SAFE_WITH_BLANK_SCREEN)) {
    notices.push(
      'With TeensyROM firmware before 0.8, reading memory while a program has the screen blanked can hang the C64 until it is switched off: turn sampling off for such programs.',
    )
  }
  if (version.isC128)
    notices.push('This is a C128: TeensyROM’s writes to its memory are known to go wrong now and then.')
  return notices
}
