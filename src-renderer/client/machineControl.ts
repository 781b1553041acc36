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

/** Connected again after a restart of the bridge. */
const wanted = new Set<string>()

let hasResumed = false

/** A machine that was named while another one ran: it comes to the front once it is live. */
let expected: string | null = null

const aboutMachine = (machine: string): string => `machine ${machine}`

useMachines.subscribe((state) => {
  for (const machine of state.machines) if (isConnected(machine)) endMessages(aboutMachine(machine.machine))
  if (expected !== null && isConnected(findMachine(state, expected))) showMachine(expected)
})

export function showMachine(machine: string): void {
  expected = null
  useMachines.setState({ front: machine })
}

/** @throws AppError of its name; a connection that fails shows in the machine's state */
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
 * The machine that runs stays in front until the new one is live.
 * @throws AppError of its name, or of its connection where no state panel shows it
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

async function stateSaysWhy(machine: string): Promise<boolean> {
  const state = findMachine({ machines: await listMachines() }, machine)
  return state !== undefined && (state.connection === 'lost' || state.retry !== null)
}

async function connect(machine: string): Promise<void> {
  const state = await connectOrAsk(machine)
  rememberMachine(machine)
  useMachines.setState(({ machines }) => ({
    machines: machines.some((other) => other.machine === machine)
      ? machines.map((other) => (other.machine === machine ? state : other))
      : [...machines, state],
  }))
}

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
      if (machine !== front) reportError(error, aboutMachine(machine))
    })
  }
}

export const runTo = async (to: RunTarget): Promise<void> => {
  await call('running.to', { machine: requireFront(), to })
}

/** @throws AppError when it is not connected */
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

/** ms. */
const CONNECTION_WAIT_MS = 20_000

/** Resolves once the front machine is connected, will not be, or has taken too long. */
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

/** Files given when the app was started come before its machine is connected. */
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

const DEFAULT_SAMPLE_RATE = 10

export async function toggleSampling(): Promise<void> {
  const machine = requireFront()
  const { mode, rate = 0 } = frontMachine()?.sampling ?? {}
  await call('machine.setSampling', {
    machine,
    mode: mode === 'off' ? 'free' : 'off',
    rate: rate || DEFAULT_SAMPLE_RATE,
  })
}

export async function restartBuiltIn(): Promise<void> {
  const machine = 'builtin'
  await call('machine.disconnect', { machine })
  await connectMachine(machine)
  await call('machine.reset', { machine, kind: 'power' })
}
