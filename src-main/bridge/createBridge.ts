import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { EventName, Payload } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import type { SamplingMode } from '@shared/contract/machine'
import { parseMachineName } from '@shared/contract/machineName'
import type { Settings } from '@shared/contract/settings'
import { Agents } from '../agents/agents'
import { loadC64bridgeConfig } from '../connections/c64bridgeConfig'
import { ConnectionCatalog } from '../connections/connectionCatalog'
import { Passwords } from '../connections/passwords'
import { createMachine } from '../machine/drivers'
import { leftoverVice } from '../machine/vice/viceDriver'
import { MachineManager } from '../machine/manager'
import { listSerialPorts } from '../machine/serialPorts'
import { discoverUltimates } from '../machine/ultimate/discovery'
import { Programs } from '../machine/programs'
import { startProjectWorker } from '../projects/worker/projectWorkerClient'
import { formats } from '../formats/formats'
import { Loops } from '../loops/loops'
import { metashellLoop } from '../loops/metashell/loop'
import { ncrewLoop } from '../loops/ncrew/loop'
import { Projects } from '../projects/projects'
import { provideSample } from '../projects/sampleProject'
import { RecordingCatalog } from '../recorder/recordingCatalog'
import { Recorder } from '../recorder/recorder'
import { RegexMatcher } from '../regex/matcher'
import { ChildStore } from '../storage/children'
import { databasePathIn, openOrStartAfresh } from '../storage/database'
import { HostStore } from '../storage/hosts'
import { NoteStore } from '../storage/notes'
import { ProfileStore } from '../storage/profiles'
import { SettingsStore } from '../storage/settings'
import { SidecarStore } from '../storage/sidecar'
import { taskHome } from '../tasks/home'
import { findOperation, operations } from '../tasks/operations'
import { Tasks } from '../tasks/tasks'
import { createHandlers } from './handlers'
import { Notices } from './notices'
import type { Bridge } from './serve'

export interface BridgeOptions {
  readonly dataFolder: string
  /** The folder with our own ROM images and the demo program. */
  readonly resources: string
  /** The built program of the worker that runs the built-in C64. */
  readonly workerPath: string
  /** The built program of the recorder's workers. */
  readonly recorderPath: string
  /** `window`: goes on where the last one stopped, and shows the demo at first. `call`: a fresh machine, and no trace of it. */
  readonly lifetime: 'window' | 'call'
  readonly log: (message: string, error?: unknown) => void
  /** Where machines of the local network are looked for; for tests, whose devices are no broadcast address away. */
  readonly search?: { readonly targets: readonly string[]; readonly port: number }
  /** The state home of tasks that the command line names. */
  readonly taskFolder?: string
  /** The variables that c64bridge would read too; by default those of this process. */
  readonly environment?: NodeJS.ProcessEnv
}

/** Until then the window and its first machine have the processor to themselves, ms. */
const BEGIN_DELAY_MS = 1_000

/** Builds all that a bridge is made of, from the bottom up. */
export function createBridge({
  dataFolder,
  resources,
  workerPath,
  recorderPath,
  lifetime,
  log,
  search,
  taskFolder,
  environment,
}: BridgeOptions): Bridge {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const databasePath = databasePathIn(dataFolder)
  const { database, setAside } = openOrStartAfresh(databasePath)
  const settings = new SettingsStore(database)
  const children = new ChildStore(database)
  const notes = new NoteStore(database)
  const listeners = new Set<<Name extends EventName>(event: Name, payload: Payload<Name>) => void>()
  const emit = <Name extends EventName>(event: Name, payload: Payload<Name>) => {
    for (const listener of listeners) listener(event, payload)
  }

  const notify = (error: AppError) => {
    log(error.message, error.cause)
    emit('machine.notice', { message: error.message, hint: error.hint ?? null })
  }

  const catalog = new ConnectionCatalog({
    profiles: new ProfileStore(database),
    discover: (signal, host) =>
      discoverUltimates(
        host === undefined ? { signal, ...search } : { signal, ...search, targets: [host], maxDevices: 1 },
      ),
    ports: () => listSerialPorts(),
    config: () => loadC64bridgeConfig(environment),
    onChange: (connections) => emit('connections.changed', connections),
  })
  const passwords = new Passwords({
    identify: async (machine, signal) => (await catalog.identify(machine, signal))?.uniqueId ?? null,
    configured: (machine) => catalog.configuredPassword(machine),
  })
  const machines = new MachineManager({
    create: (name) => createMachine(name, { dataFolder, resources, workerPath, lifetime, settings, children, notes }),
    password: (name, signal) => passwords.passwordFor(name, signal),
    defaultSampling: (name) => defaultSampling(name, settings.current),
    onStates: (states) => emit('machine.states', { machines: states }),
    log,
  })
  const programs = new Programs(machines)
  const recorder = new Recorder(recorderPath)
  const recordings: RecordingCatalog = new RecordingCatalog({
    recorder,
    tasks: {
      recorded: () => tasks.recorded(),
      recordedOne: (id) => tasks.recordedOne(id),
      note: (id, line) => tasks.note(id, line),
    },
    retention: () => settings.current.recordings,
    log,
  })
  // Attached again at once, so that it ends with the window also when nobody looks at it any more.
  if (leftoverVice({ lifetime, children })) {
    machines
      .connect('vice', AbortSignal.timeout(10_000))
      .catch((error: unknown) => log('The VICE left over from before could not be attached', error))
  }
  // Beside the other built programs.
  const regex = new RegexMatcher(join(dirname(workerPath), 'regexWorker.cjs'))
  const tasks: Tasks = new Tasks({
    home: taskHome({ named: taskFolder, setting: settings.current.tasksHome }, environment),
    operations: { all: operations, find: findOperation },
    regex,
    machines,
    settings: () => settings.current.tasks,
    openRecording: (folder) => recordings.open(folder),
    forgetRecording: (folder) => recordings.forget(folder),
    onChanged: (changes) => {
      emit('tasks.changed', changes)
      notices.tasks(changes.changed, changes.removed)
    },
    onLog: (part) => emit('tasks.log', part),
    onProblems: (problems) => emit('tasks.problem', { problems }),
    log,
  })
  const agents = new Agents({
    database,
    folder: join(dataFolder, 'agents'),
    settings,
    children,
    regex,
    onChanged: (changes) => emit('agentRuns.changed', changes),
    log,
  })
  const sidecar = new SidecarStore(database)
  const notices = new Notices({
    remembered: (project, run) => sidecar.all(project, run),
    remember: (project, runs) => projects.remember(project, runs),
    raise: (notice) => {
      if (settings.current.notifications) emit('notice.raised', notice)
    },
  })
  const projects: Projects = new Projects({
    database,
    formats,
    startWorker: startProjectWorker(join(dirname(workerPath), 'projectsWorker.cjs'), databasePath),
    onChanged: (changes) => emit('projects.changed', changes),
    onRuns: (project, runs, isNew) => notices.runs(project, runs, isNew),
    onOverwritten: (event) => emit('projects.overwritten', event),
    onEdited: (event) => emit('projects.edited', event),
    log,
  })
  const loops = new Loops({
    // Beside the C64's images.
    loops: [metashellLoop(join(dirname(resources), 'metashell')), ncrewLoop],
    agents,
    leftAtWork: async () => {
      await agents.begin()
      return agents.left
    },
    hosts: new HostStore(database),
    sidecar: new SidecarStore(database, (project, run) => projects.reread(project, run)),
    placeOf: (name) => projects.placeOfRun(name),
    requireTrusted: (project, folder) => projects.requireTrusted(project, folder),
    agentAtWork: (project, agent) => projects.agentAtWork(project, agent),
    folder: join(dataFolder, 'loops'),
    onChanged: (changed) => emit('loops.changed', { loops: changed }),
    log,
  })
  // A call reads them when it asks for them; the window's bridge takes up what may go on by itself.
  const begin = () => {
    tasks.begin().catch((error: unknown) => log('The tasks could not be loaded', error))
    loops.begin()
    projects.begin().catch((error: unknown) => log('The projects could not be opened again', error))
    agents.begin().catch((error: unknown) => log('The agents that ran before could not be looked for', error))
  }
  const beginning = lifetime === 'window' ? setTimeout(begin, BEGIN_DELAY_MS) : undefined
  settings.onChange((changed) => emit('settings.changed', changed))

  let unsaid = setAside
  const onSettingsAsked = () => {
    if (unsaid) notify(unsaid)
    unsaid = undefined
  }

  return {
    handlers: createHandlers({
      machines,
      programs,
      settings,
      tasks,
      catalog,
      passwords,
      recorder,
      recordings,
      projects,
      provideSample: () =>
        provideSample(join(dirname(resources), 'sample-project'), join(dataFolder, 'sample-project')),
      loops,
      agents,
      emit,
      onSettingsAsked,
    }),
    frames: machines,
    audio: machines,
    log,
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    fallAsleep: () => machines.fallAsleep(),
    wakeUp: () => void machines.wakeUp(),
    async close() {
      clearTimeout(beginning)
      // At once, as an agent that a loop waits for has little time left to end.
      await Promise.all([agents.close(), loops.closeAll()])
      await projects.closeAll()
      await tasks.close()
      await regex.close()
      await programs.close()
      await recorder.close()
      await machines.close()
      database.close()
    },
  }
}

function defaultSampling(
  name: string,
  { viceSampling, hardwareSampling }: Settings,
): { mode: SamplingMode; rate: number } {
  switch (parseMachineName(name).kind) {
    case 'builtin':
      return { mode: 'free', rate: 50 }
    case 'vice':
      return viceSampling
    default:
      return { mode: 'free', rate: hardwareSampling.rate }
  }
}
