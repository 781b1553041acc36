import { AppError } from '@shared/contract/errors'
import { canonicalMachineName, parseMachineName } from '@shared/contract/machineName'
import { call } from './client'
import { FramePort } from './framePort'
import { frames } from './frames'
import { findMachine, frontMachine, isConnected, useMachines } from './machines'
import { notify, reportError } from './messages'

/** Machines that the person wants connected: after a restart of the bridge they are connected again. */
const wanted = new Set<string>()

/** Whether {@link resumeMachines} has run: before, nothing is connected yet. */
let hasResumed = false

let framePort: FramePort | undefined

/** Opens the frame port anew; called whenever a bridge process is ready. */
export function openFrames(): void {
  framePort ??= new FramePort(frames)
  framePort.follow(useMachines.getState().front)
  framePort.reopen()
}

/** Puts a machine before the views. */
export function showMachine(machine: string): void {
  useMachines.setState({ front: machine })
  framePort?.follow(machine)
}

/** Puts a machine before the views and connects it unless it is. Throws the AppError of its name or its connection. */
export async function connectMachine(name: string): Promise<void> {
  const machine = canonicalMachineName(parseMachineName(name))
  showMachine(machine)
  wanted.add(machine)
  if (isConnected(findMachine(useMachines.getState(), machine))) return
  const state = await call('machine.connect', { machine })
  useMachines.setState(({ machines }) => ({
    machines: machines.some((other) => other.machine === machine)
      ? machines.map((other) => (other.machine === machine ? state : other))
      : [...machines, state],
  }))
}

export async function disconnectMachine(machine: string): Promise<void> {
  wanted.delete(machine)
  await call('machine.disconnect', { machine })
}

/** After a start of the bridge: what machines there are, and those that were in use again. */
export async function resumeMachines(): Promise<void> {
  const { machines } = await call('machine.list', {})
  useMachines.setState({ machines })
  const { front } = useMachines.getState()
  wanted.add(front)
  hasResumed = true
  for (const machine of wanted) {
    if (isConnected(findMachine({ machines }, machine))) continue
    call('machine.connect', { machine }).catch((error: unknown) => {
      // What the machine in front suffers stands in its state panel already.
      if (machine !== front) reportError(error)
    })
  }
}

/** The front machine's name for a command; throws an AppError when it is not connected. */
export function requireFront(): string {
  const { front } = useMachines.getState()
  const state = frontMachine()
  if (!isConnected(state)) {
    throw new AppError('LOST', `${state?.title ?? front} is not connected.`, { hint: 'Connect it first, in the machine bar.' })
  }
  return front
}

export async function chooseProgram(): Promise<void> {
  const { name } = await call('program.choose', { machine: requireFront(), watch: true })
  if (name !== null) notify(`${name} runs. It is loaded again when it is rebuilt.`)
}

/** Longest wait for a machine that is still being connected, ms. */
const CONNECTION_PATIENCE = 20_000

/** Resolves once the front machine is connected, is not going to be, or has kept us waiting long enough. */
function untilFrontSettled(): Promise<void> {
  const isSettled = () => {
    const state = frontMachine()
    return isConnected(state) || state?.connection === 'lost' || (hasResumed && !wanted.has(useMachines.getState().front))
  }
  return new Promise((done) => {
    if (isSettled()) {
      done()
      return
    }
    const finish = () => {
      clearTimeout(timer)
      unsubscribe()
      done()
    }
    const timer = setTimeout(finish, CONNECTION_PATIENCE)
    const unsubscribe = useMachines.subscribe(() => {
      if (isSettled()) finish()
    })
  })
}

/** Runs a file that was dropped, or given when the app was started: that one comes before its machine is connected. */
export async function runDropped(grant: string): Promise<void> {
  await untilFrontSettled()
  const { name } = await call('program.runGranted', { machine: requireFront(), grant, watch: true })
  notify(`${name} runs. It is loaded again when it is rebuilt.`)
}

export async function togglePause(): Promise<void> {
  const machine = requireFront()
  const paused = frontMachine()?.execution === 'paused'
  await call(paused ? 'machine.resume' : 'machine.pause', { machine })
}
