import { programFileKindOf } from '@shared/programFiles'
import { takesPassword } from '@shared/contract/connections'
import { AppError, toFailure, describeFailure } from '@shared/contract/errors'
import type { MachineState } from '@shared/contract/machine'
import type { RunTarget } from '@shared/contract/running'
import { canonicalMachineName, parseMachineName } from '@shared/contract/machineName'
import { call } from './call'
import { loadState } from './replays'
import { chosenNow } from './chosen'
import { isGraphicsFile, isSavedState, limitOfDrop, planDrop } from './drops'
import { importDropped } from './graphicsFiles'
import { takeAnswer } from './events'
import { announceLabels } from './labels'
import { findMachine, frontMachine, isConnected, useMachines } from './machines'
import { endMessages, notify, reportError } from './messages'
import { askPassword } from './passwords'
import { noteForgottenPrograms } from './notices'
import { rememberMachine } from './recentMachines'
import { offerElsewhere, type GrantedFile } from './runElsewhere'

/** Machines that the person wants connected: after a restart of the bridge they are connected again. */
const wanted = new Set<string>()

/** Whether {@link resumeMachines} has run: before, nothing is connected yet. */
let hasResumed = false

/** A machine that the person named while another one ran: it comes to the front once it is live. */
let expected: string | null = null

const aboutMachine = (machine: string): string => `machine ${machine}`

useMachines.subscribe((state) => {
  for (const machine of state.machines) if (isConnected(machine)) endMessages(aboutMachine(machine.machine))
  if (expected !== null && isConnected(findMachine(state, expected))) showMachine(expected)
})

/** Puts a machine before the views. */
export function showMachine(machine: string): void {
  expected = null
  useMachines.setState({ front: machine })
}

/**
 * Puts a machine before the views and connects it unless it is. Throws the AppError of its name; a connection that fails
 * shows in the machine's state.
 */
export async function connectMachine(name: string): Promise<void> {
  const machine = canonicalMachineName(parseMachineName(name))
  showMachine(machine)
  wanted.add(machine)
  if (isConnected(findMachine(useMachines.getState(), machine))) return
  try {
    await connect(machine)
  } catch (error) {
    if (!(await stateSaysWhy(machine))) throw error
  }
}

/**
 * Connects a machine that the person named, and leaves the one that runs before the views until the new one is live.
 * Throws the AppError of its name, or of its connection where no state panel shows it.
 */
export async function connectNamed(name: string): Promise<void> {
  const machine = canonicalMachineName(parseMachineName(name))
  const isFree = !isConnected(frontMachine()) || machine === useMachines.getState().front
  if (isFree || isConnected(findMachine(useMachines.getState(), machine))) return connectMachine(machine)
  expected = machine
  wanted.add(machine)
  await connect(machine)
}

async function listMachines(): Promise<readonly MachineState[]> {
  await takeAnswer(
    'machine.states',
    () => call('machine.list', {}),
    ({ machines }) => useMachines.setState({ machines }),
  )
  return useMachines.getState().machines
}

/** Whether the state of a machine that could not be connected says so already. */
async function stateSaysWhy(machine: string): Promise<boolean> {
  const state = findMachine({ machines: await listMachines() }, machine)
  return state !== undefined && (state.connection === 'lost' || state.retry !== null)
}

/** The answer says at once what the next event of all states will say too. */
async function connect(machine: string): Promise<void> {
  const state = await connectOrAsk(machine)
  rememberMachine(machine)
  useMachines.setState(({ machines }) => ({
    machines: machines.some((other) => other.machine === machine)
      ? machines.map((other) => (other.machine === machine ? state : other))
      : [...machines, state],
  }))
}

/** Where the machine wants a password, the person is asked for it. */
async function connectOrAsk(machine: string): Promise<MachineState> {
  try {
    return await call('machine.connect', { machine })
  } catch (error) {
    const failure = toFailure(error)
    if (failure.code !== 'FORBIDDEN' || !takesPassword(machine)) throw error
    return askPassword(machine, describeFailure(failure))
  }
}

export async function disconnectMachine(machine: string): Promise<void> {
  if (machine === expected) expected = null
  wanted.delete(machine)
  await call('machine.disconnect', { machine })
}

/** After a start of the bridge: what machines there are, and those that were in use again. */
export async function resumeMachines(): Promise<void> {
  const before = useMachines.getState().machines
  const machines = await listMachines()
  noteForgottenPrograms(before, machines)
  const { front } = useMachines.getState()
  wanted.add(front)
  hasResumed = true
  for (const machine of wanted) {
    if (isConnected(findMachine({ machines }, machine))) continue
    connect(machine).catch((error: unknown) => {
      // What the machine in front suffers stands in its state panel already.
      if (machine !== front) reportError(error, aboutMachine(machine))
    })
  }
}

/** Lets the machine in front run until it pauses there. */
export const runTo = async (to: RunTarget): Promise<void> => {
  await call('running.to', { machine: requireFront(), to })
}

/** The front machine's name for a command; throws an AppError when it is not connected. */
export function requireFront(): string {
  const { front } = useMachines.getState()
  const state = frontMachine()
  if (!isConnected(state)) {
    throw new AppError('LOST', `${state?.title ?? front} is not connected.`, {
      hint: 'Connect it first: Machine > Reconnect.',
    })
  }
  return front
}

export async function chooseProgram(): Promise<void> {
  requireFront()
  const { file } = await call('program.choose', {})
  if (file !== null) await openDroppedFiles([file])
}

/** Longest wait for a machine that is still being connected, ms. */
const CONNECTION_WAIT_MS = 20_000

/** Resolves once the front machine is connected, is not going to be, or has kept us waiting long enough. */
function untilFrontSettled(): Promise<void> {
  const isSettled = () => {
    const state = frontMachine()
    return (
      isConnected(state) || state?.connection === 'lost' || (hasResumed && !wanted.has(useMachines.getState().front))
    )
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
    const timer = setTimeout(finish, CONNECTION_WAIT_MS)
    const unsubscribe = useMachines.subscribe(() => {
      if (isSettled()) finish()
    })
  })
}

/** Opens the files that were dropped, chosen, or given when the app was started: those come before its machine is connected. */
export async function openDroppedFiles(files: readonly GrantedFile[]): Promise<void> {
  if (files.length === 0) return
  await untilFrontSettled()
  const { labels, inserted, opened, left } = planDrop(files, frontMachine())
  const leftText = left.map(({ name, why }) => `${name} was not opened. ${why}`).join('\n')
  for (const { grant } of labels)
    announceLabels(await call('labels.loadGranted', { machine: useMachines.getState().front, grant }))
  const refused = opened === null ? files.find(({ name }) => programFileKindOf(name) !== undefined) : undefined
  if (refused !== undefined) {
    await offerElsewhere(refused, limitOfDrop(refused.name, frontMachine()) ?? leftText)
    return
  }
  if (opened === null && labels.length === 0) throw new AppError('UNSUPPORTED', leftText)
  if (leftText !== '') notify(leftText)
  if (inserted !== null) await insertDroppedDisk(inserted)
  if (opened !== null) await openDroppedFile(opened)
}

/** Into the drive from which a program loads unless it is told otherwise. */
async function insertDroppedDisk({ grant, name }: GrantedFile): Promise<void> {
  const machine = requireFront()
  const drive = 'a'
  await call('machine.setDriveEnabled', { machine, drive, enabled: true })
  await call('drive.mountGranted', { machine, grant, drive, mode: chosenNow('device.mountMode') })
  notify(`${name} is in drive A.`)
}

async function openDroppedFile({ grant, name: file }: GrantedFile): Promise<void> {
  if (isGraphicsFile(file)) {
    await importDropped(grant)
    return
  }
  const machine = requireFront()
  if (isSavedState(file)) {
    await loadState(machine, async (signal) => {
      await call('state.loadGranted', { machine, grant }, { signal })
      return file
    })
    return
  }
  try {
    await runGranted(machine, grant)
  } catch (error) {
    const failure = toFailure(error)
    if (failure.details?.['lacks'] !== 'basic') throw error
    await offerElsewhere({ grant, name: file }, failure.message, true)
  }
}

/** @param entry a program in a disk or tape image; without one the file itself */
export async function runGranted(machine: string, grant: string, entry?: number): Promise<void> {
  const run = { machine, grant, watch: true, ...(entry === undefined ? {} : { entry }) }
  const { name } = await call('program.runGranted', run)
  notify(`${name} is running. It reloads when it is rebuilt.`)
}

export async function togglePause(): Promise<void> {
  const machine = requireFront()
  const paused = frontMachine()?.execution === 'paused'
  await call(paused ? 'machine.resume' : 'machine.pause', { machine })
}

/** Samples a second where nobody chose how many. */
const DEFAULT_SAMPLE_RATE = 10

/** Reads the machine in front at the rate that was chosen last, or stops reading it. */
export async function toggleSampling(): Promise<void> {
  const machine = requireFront()
  const { mode, rate = 0 } = frontMachine()?.sampling ?? {}
  await call('machine.setSampling', {
    machine,
    mode: mode === 'off' ? 'free' : 'off',
    rate: rate || DEFAULT_SAMPLE_RATE,
  })
}

/** So that it starts with the settings of now. What ran in it is gone. */
export async function restartBuiltIn(): Promise<void> {
  const machine = 'builtin'
  await call('machine.disconnect', { machine })
  await connectMachine(machine)
  await call('machine.reset', { machine, kind: 'power' })
}
