import { create } from 'zustand'
import { toFailure, type Failure } from '@shared/contract/errors'
import { useFrontName, useMachines } from './machines'

interface Reading<Frame> {
  readonly machine: string | null
  readonly read: { readonly frame: Frame; readonly at: number } | null
  readonly failure: Failure | null
  readonly running: AbortController | null
  /** Cancelled by the person: the frame is not read again by itself. */
  readonly isCancelled: boolean
}

interface FrameOfFront<Frame> {
  /** `at` is ms since 1970. */
  readonly read: { readonly frame: Frame; readonly at: number } | null
  readonly failure: Failure | null
  readonly isCancelled: boolean
  readonly isBusy: boolean
}

export interface FrameReads<Frame> {
  readonly readNext: () => Promise<void>
  readonly cancel: () => void
  readonly useFrame: () => FrameOfFront<Frame>
}

export function frameReads<Frame>(follow: (machine: string, signal: AbortSignal) => Promise<Frame>): FrameReads<Frame> {
  const useReading = create<Reading<Frame>>(() => ({
    machine: null,
    read: null,
    failure: null,
    running: null,
    isCancelled: false,
  }))
  const readNext = async (): Promise<void> => {
    const machine = useMachines.getState().front
    const before = useReading.getState()
    if (before.running && before.machine === machine) return
    before.running?.abort()
    const running = new AbortController()
    const { signal } = running
    const read = before.machine === machine ? before.read : null
    useReading.setState({ machine, running, read, failure: null, isCancelled: false })
    try {
      const frame = await follow(machine, signal)
      if (!signal.aborted) useReading.setState({ read: { frame, at: Date.now() } })
    } catch (error) {
      if (!signal.aborted) useReading.setState({ failure: toFailure(error) })
    } finally {
      if (useReading.getState().running === running) useReading.setState({ running: null })
    }
  }
  return {
    readNext,
    cancel: () => {
      useReading.getState().running?.abort()
      useReading.setState({ running: null, isCancelled: true })
    },
    useFrame: () => {
      const front = useFrontName()
      const { machine, read, failure, running, isCancelled } = useReading()
      if (machine !== front) return { read: null, failure: null, isCancelled: false, isBusy: false }
      return { read, failure, isCancelled, isBusy: running !== null }
    },
  }
}
