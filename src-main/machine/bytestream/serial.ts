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
  pollForAllEvents(port)
  return new DuplexByteStream(port, {
    lost: () =>
      new AppError('LOST', `${device} was unplugged or switched off.`, {
        hint: 'Plug it in again; Bridgedeck reconnects automatically.',
      }),
    closed: () => new AppError('LOST', `${device} is closed.`, { hint: 'Connect it again.' }),
    release: () => closePort(port),
  })
}

/** Exists in a port's bindings outside Windows only: waits until the port can be read or written, or is gone. */
interface Poller extends EventEmitter {
  poll(events?: number): void
}

const EVENTS = { readable: 1, writable: 2, disconnect: 4 } as const

/**
 * Works around two faults of serialport 13 outside Windows (its poller.cpp): each `poll` replaces the events polled
 * before, so a read that begins during a write loses the write; and a port that is gone is never reported. So every
 * call polls for all events with listeners, and for `disconnect`.
 */
function pollForAllEvents(port: SerialPort): void {
  if (!hasPoller(port.port)) return
  const { poller } = port.port
  const poll = poller.poll.bind(poller)
  poller.poll = (requested = 0) => {
    poll(
      Object.entries(EVENTS).reduce(
        (events, [name, event]) => (poller.listenerCount(name) > 0 ? events | event : events),
        requested,
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

/** Cannot be cancelled: the operating system either opens the port or refuses it. */
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

/** `serialport` reports the cause only in the system's message. */
export function refusal(device: string, message: string, platform: NodeJS.Platform = process.platform): AppError {
  const details = { message: message.slice(0, 2_000) }
  // Windows reports "Access denied" for a port that another program has open; it has no permissions for ports.
  if (/cannot lock|busy|temporarily unavailable|access (is )?denied/i.test(message)) {
    return new AppError('BUSY', `${device} is in use by another program.`, {
      hint: 'Close the program that uses it (a terminal, another C64 tool), then connect again.',
      details,
    })
  }
  if (/permission denied|operation not permitted/i.test(message)) {
    return new AppError('FORBIDDEN', `You have no permission to use ${device}.`, {
      hint:
        platform === 'linux'
          ? 'Serial ports belong to the group dialout: run “sudo usermod -a -G dialout $USER”, then log out and in again.'
          : 'Give your user read and write access to the device, then connect again.',
      details,
    })
  }
  if (/no such (file|device)|file not found|not configured/i.test(message)) {
    return new AppError('NOT_FOUND', `There is no ${device}.`, {
      hint: 'Plug the device in and choose its port from the list: its name may differ in another socket.',
      details,
    })
  }
  if (/inappropriate ioctl|not a (typewriter|tty)|is a directory/i.test(message)) {
    return new AppError('INVALID', `${device} is not a serial port.`, { hint: 'Choose a port from the list.', details })
  }
  return new AppError('UNREACHABLE', `${device} could not be opened.`, {
    hint: 'Unplug the device, plug it in again, and connect again.',
    details,
  })
}

function refuseIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('CANCELLED', 'The operation was cancelled.')
}
