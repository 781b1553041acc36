/** A device's line by a serial port, real or over USB. The native module is loaded when the first port is opened. */
import type { EventEmitter } from 'node:events'
import type { SerialPort } from 'serialport'
import { AppError } from '@shared/contract/errors'
import { DuplexByteStream, type ByteStream } from './byteStream'

/** @throws AppError FORBIDDEN, BUSY, NOT_FOUND, UNREACHABLE, CANCELLED */
export async function openSerial(device: string, baud: number, signal: AbortSignal): Promise<ByteStream> {
  const { SerialPort } = await import('serialport')
  refuseIfAborted(signal)
  const port = new SerialPort({ path: device, baudRate: baud, autoOpen: false })
  await openPort(port)
  try {
    refuseIfAborted(signal)
  } catch (error) {
    await closePort(port)
    throw error
  }
  waitForAll(port)
  return new DuplexByteStream(port, {
    lost: () =>
      new AppError('LOST', `${device} was unplugged or switched off.`, {
        hint: 'Plug it in again; Bridgedeck connects again by itself.',
      }),
    closed: () => new AppError('LOST', `${device} is closed.`, { hint: 'Connect it again.' }),
    release: () => closePort(port),
  })
}

/** Inside a port's bindings outside Windows: it waits until the port can be read or written, or is gone. */
interface Poller extends EventEmitter {
  poll(events?: number): void
}

/** As libuv numbers them. */
const EVENTS = { readable: 1, writable: 2, disconnect: 4 } as const

/**
 * Mends how serialport 13 waits outside Windows (poller.cpp of its bindings): what it asks the system to wait for replaces
 * what it asked before, so that a read that begins while a write waits for room forgets the write. And where a port is gone,
 * it reads nothing again and again, and never tells. So whatever it asks for, it asks for all that is waited for, and always
 * for the end of the port.
 */
function waitForAll(port: SerialPort): void {
  if (!hasPoller(port.port)) return
  const { poller } = port.port
  const ask = poller.poll.bind(poller)
  poller.poll = (asked = 0) => {
    ask(
      Object.entries(EVENTS).reduce(
        (events, [name, event]) => (poller.listenerCount(name) > 0 ? events | event : events),
        asked,
      ),
    )
  }
  poller.on('disconnect', (error: Error | null) => {
    if (port.isOpen) port.close(undefined, error)
  })
  poller.poll()
}

const hasPoller = (binding: unknown): binding is { readonly poller: Poller } =>
  typeof binding === 'object' && binding !== null && 'poller' in binding

/** Cannot be cancelled halfway: the operating system either gives the port, or refuses it. */
const openPort = (port: SerialPort): Promise<void> =>
  new Promise((resolve, reject) => {
    port.open((error) => {
      if (error) reject(refusal(port.path, error.message))
      else resolve()
    })
  })

const closePort = (port: SerialPort): Promise<void> =>
  new Promise((resolve) => {
    port.close(() => {
      port.destroy()
      resolve()
    })
  })

/**
 * Why a port does not open, in words; `serialport` tells it only by the system's message.
 * @param platform as `process.platform`
 */
export function refusal(device: string, said: string, platform: NodeJS.Platform = process.platform): AppError {
  const details = { said: said.slice(0, 2_000) }
  // Windows calls a port that another program holds "Access denied"; it has no permissions for ports.
  if (/cannot lock|busy|temporarily unavailable|access (is )?denied/i.test(said)) {
    return new AppError('BUSY', `${device} is in use by another program.`, {
      hint: 'Close the program that has it open (a terminal, another C64 tool), then connect again.',
      details,
    })
  }
  if (/permission denied|operation not permitted/i.test(said)) {
    return new AppError('FORBIDDEN', `You may not use ${device}.`, {
      hint:
        platform === 'linux'
          ? 'Serial ports belong to the group dialout: run “sudo usermod -a -G dialout $USER”, then log out and in again.'
          : 'Let your user read and write the device, then connect again.',
      details,
    })
  }
  if (/no such (file|device)|file not found|not configured/i.test(said)) {
    return new AppError('NOT_FOUND', `There is no ${device}.`, {
      hint: 'Plug the device in, and choose its port in the list: the name can change with the socket.',
      details,
    })
  }
  if (/inappropriate ioctl|not a (typewriter|tty)|is a directory/i.test(said)) {
    return new AppError('INVALID', `${device} is not a serial port.`, { hint: 'Choose a port in the list.', details })
  }
  return new AppError('UNREACHABLE', `${device} could not be opened.`, {
    hint: 'Unplug the device, plug it in again, and connect again.',
    details,
  })
}

function refuseIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('CANCELLED', 'The operation was cancelled.')
}
