import { dirname, join } from 'node:path'
import type { StandInRom } from '@shared/c64/standInRom'
import type { BridgeLifetime } from '@shared/contract/bridge'
import type { EventName, Payload } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import type { SamplingMode } from '@shared/contract/machine'
import { parseMachineName } from '@shared/contract/machineName'
import { spaces } from '@shared/contract/memory'
import type { Settings } from '@shared/contract/settings'
import { isMaestroSession } from '@shared/formats/systems'
import { serverEntry } from '../agentClients/serverEntry'
import { Agents } from '../agents/agents'
import { PriceFile } from '../agents/prices/priceFile'
import { loadC64bridgeConfig } from '../connections/c64bridgeConfig'
import { ConnectionCatalog } from '../connections/connectionCatalog'
import { Passwords } from '../connections/passwords'
import { createMachine } from '../machine/drivers'
import { createViceFinder } from '../machine/vice/installedVice'
import { leftoverVice } from '../machine/vice/viceDriver'
import { MachineManager } from '../machine/manager'
import { MemorySnapshots } from '../machine/memorySnapshots'
import { listSerialPorts } from '../machine/serialPorts'
import { discoverUltimates } from '../machine/ultimate/discovery'
import { Builds } from '../builds/builds'
import { BuildStore } from '../builds/buildStore'
import { BoundCheckpoints } from '../labels/boundCheckpoints'
import { KeptCheckpoints } from '../labels/keptCheckpoints'
import { Labels } from '../labels/labels'
import { Programs } from '../machine/programs'
import type { ValueSearches } from '../machine/valueSearches'
import { loadStandInRom } from '../machine/standInRom'
import { startProjectWorker } from '../projects/worker/projectWorkerClient'
import { changesOf, turnsSince, type ChangesAsk } from '@shared/report/collectReport'
import { runOfTurn, runReport } from '@shared/report/report'
import { formats } from '../formats/formats'
import { Loops } from '../loops/loops'
import { metashellLoop } from '../loops/metashell/loop'
import { maestroLoop } from '../loops/maestro/loop'
import { tuningLoop } from '../loops/tuning/loop'
import { ncrewLoop } from '../loops/ncrew/loop'
import { Projects } from '../projects/projects'
import { identifyFolder } from '../projects/trust'
import { markMachine } from '../recorder/markMachine'
import { RecordingCatalog } from '../recorder/recordingCatalog'
import { Recorder } from '../recorder/recorder'
import { RegexMatcher } from '../regex/matcher'
import { AgentCallStore } from '../storage/agentCalls'
import { ChildStore } from '../storage/children'
import { databasePathIn } from '../storage/database'
import { HostStore } from '../storage/hosts'
import { MemorySnapshotStore } from '../storage/memorySnapshots'
import { SheetStore } from '../storage/sheets'
import { NoteStore } from '../storage/notes'
import { OwnDatabase } from '../storage/ownDatabase'
import { ProfileStore } from '../storage/profiles'
import { Quarantine } from '../storage/quarantine'
import { SettingsStore } from '../storage/settings'
import { SidecarStore } from '../storage/sidecar'
import { SpendingStore } from '../storage/spending'
import { isOfClient } from '../steering/currentAgent'
import { Steering } from '../steering/steering'
import { taskHome } from '../tasks/home'
import { findOperation, operations } from '../tasks/operations'
import { Tasks } from '../tasks/tasks'
import { Notices } from './notices'
import { isQuiet } from './quietHours'
import { RunEnds } from './runEnds'

export interface BridgeOptions {
  readonly dataFolder: string
  readonly resources: string
  readonly workerPath: string
  readonly recorderPath: string
  /** Only `window` resumes machines and tasks and shows the demo at first; the others start with fresh machines. */
  readonly lifetime: BridgeLifetime
  readonly background?: {
    readonly endsWhenIdle: () => boolean
    readonly listensAt?: string | undefined
    readonly onStay: () => void
    readonly onStop: () => void
  }
  readonly log: (message: string, error?: unknown) => void
  readonly lastEnd?: string | undefined
  readonly search?: { readonly targets: readonly string[]; readonly port: number }
  readonly taskFolder?: string
  /** Variables that c64bridge would read too; default: those of this process. */
  readonly environment?: NodeJS.ProcessEnv
}

export type Emit = <Name extends EventName>(event: Name, payload: Payload<Name>) => void

interface Context {
  readonly options: BridgeOptions
  readonly stores: Stores
  readonly quarantine: Quarantine
  readonly emit: Emit
}

interface Stores {
  readonly database: OwnDatabase
  readonly databasePath: string
  readonly settings: SettingsStore
  readonly sheets: SheetStore
  readonly children: ChildStore
  readonly notes: NoteStore
}

export function openStores(dataFolder: string): Stores {
  const databasePath = databasePathIn(dataFolder)
  const database = OwnDatabase.open(databasePath)
  return {
    database,
    databasePath,
    settings: new SettingsStore(database),
    sheets: new SheetStore(database),
    children: new ChildStore(database),
    notes: new NoteStore(database),
  }
}

export const createQuarantine = ({ lifetime, lastEnd }: BridgeOptions, { database }: Stores, emit: Emit): Quarantine =>
  new Quarantine(database, {
    records: lifetime !== 'call',
    lastEnd,
    onChange: (items) => emit('quarantine.changed', { items }),
  })

export function createMachineParts({ options, stores, emit, quarantine }: Context) {
  const { dataFolder, resources, workerPath, lifetime, search, environment, log } = options
  const { database, settings, children, notes } = stores
  const catalog = new ConnectionCatalog({
    profiles: new ProfileStore(database),
    discover: (signal, host) =>
      discoverUltimates(
        host === undefined ? { signal, ...search } : { signal, ...search, targets: [host], maxDevices: 1 },
      ),
    vice: createViceFinder(() => settings.current.viceExecutable),
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
    keepsStarted: lifetime === 'background',
    onStates: (states) => {
      emit('machine.states', { machines: states })
      checkpoints.statesChanged(states)
    },
    onLoaded: (machine) => emit('running.loadedChanged', { machine }),
    openings: quarantine,
    log,
  })
  // Attached at once, so that it ends with the window even when nobody looks at it again.
  if (leftoverVice({ lifetime, children })) {
    machines
      .connect('vice', AbortSignal.timeout(10_000))
      .catch((error: unknown) => log('The VICE left over from before could not be attached', error))
  }
  const labels: Labels = new Labels({
    workerPath: join(dirname(workerPath), 'labelsWorker.cjs'),
    notes,
    watches: lifetime !== 'call',
    onChanged: ({ machine }) => {
      emit('labels.changed', { machine })
      void boundCheckpoints.follow(machine)
    },
    log,
  })
  const boundCheckpoints = new BoundCheckpoints({ machines, labels, log })
  const checkpoints: KeptCheckpoints = new KeptCheckpoints({
    bound: boundCheckpoints,
    machines,
    notes,
    log,
    isPersons: () => lifetime === 'window' && !isOfClient(),
    onChanged: (machine, lost) => emit('machine.checkpointsChanged', { machine, lost }),
  })
  const programs = new Programs(machines, async (machine, path) => {
    await labels
      .programLoaded(machine, path)
      .catch((error: unknown) => log('The labels beside the program could not be read', error))
    await boundCheckpoints.follow(machine)
    await checkpoints.programLoaded(machine, path)
  })
  const standInRom = () => loadStandInRom(resources, settings.current)
  return { catalog, passwords, machines, programs, labels, boundCheckpoints, checkpoints, standInRom }
}

export function createTaskParts(
  { options, stores: { database, settings }, emit, quarantine }: Context,
  {
    machines,
    regex,
    notices,
    standInRom,
  }: { machines: MachineManager; regex: RegexMatcher; notices: Notices; standInRom: () => Promise<StandInRom> },
) {
  const { recorderPath, taskFolder, environment, log } = options
  const recorder = new Recorder(recorderPath)
  const recordings: RecordingCatalog = new RecordingCatalog({
    recorder,
    tasks: {
      recorded: () => tasks.recorded(),
      recordedOne: (id) => tasks.recordedOne(id),
      note: (id, line) => tasks.note(id, line),
    },
    retention: () => settings.current.recordings,
    openings: quarantine,
    log,
  })
  const snapshots = new MemorySnapshots({
    store: new MemorySnapshotStore(database),
    live: (machine) => machines.live(machine),
    moment: async (recording, time, signal) => {
      const { path } = await recordings.find(recording)
      return recorder.query('imageAt', { path, time, spaces: [...spaces], picture: false }, signal)
    },
    onChanged: () => emit('snapshots.changed', {}),
  })
  const tasks: Tasks = new Tasks({
    home: taskHome({ named: taskFolder, setting: settings.current.tasksHome }, environment),
    operations: { all: operations, find: findOperation },
    regex,
    machines,
    snapshot: (name) => snapshots.images(name),
    standInRom,
    settings: () => settings.current.tasks,
    openRecording: (folder) => recordings.open(folder),
    forgetRecording: (folder) => recordings.forget(folder),
    recordedIn: (folder) => recordings.total(folder),
    onChanged: (changes) => {
      emit('tasks.changed', changes)
      notices.tasks(changes.changed, changes.removed)
    },
    onLog: (part) => emit('tasks.log', part),
    onProblems: (problems) => emit('tasks.problem', { problems }),
    log,
  })
  return { recorder, recordings, snapshots, tasks }
}

export function createProjectParts({ options, stores, emit, quarantine }: Context, { regex }: { regex: RegexMatcher }) {
  const { dataFolder, resources, workerPath, log } = options
  const { database, databasePath, settings, children } = stores
  const prices = new PriceFile(dataFolder)
  const agents = new Agents({
    database,
    folder: join(dataFolder, 'agents'),
    startServer: (words) => serverEntry({ out: dirname(dirname(resources)), environment: process.env }, words),
    settings,
    children,
    regex,
    prices,
    onChanged: (changes) => emit('agentRuns.changed', changes),
    log,
  })
  const sidecar = new SidecarStore(database)
  const notices = new Notices({
    remembered: (project, run) => sidecar.all(project, run),
    remember: (project, runs) => projects.remember(project, runs),
    raise: (notice) => raise(notice),
  })
  const raise = (notice: Payload<'notice.raised'>) => {
    const { notifications, quietHours } = settings.current
    if (notifications && !isQuiet(quietHours, new Date().getHours())) emit('notice.raised', notice)
  }
  const runEnds = new RunEnds({
    isOpen: (project) => projects.isOpen(project),
    runOf: async ({ project, system, place }) => {
      if (system === 'maestro' && !isMaestroSession(place)) return undefined
      await projects.settle(project)
      const run = projects.runOf({ project, system, place })
      if (run) return run
      const { runs } = await agents.runs({ before: null })
      const last = runs.find(
        ({ turn }) => turn?.project === project && turn.system === system && turn.place === place,
      )?.turn
      return last ? projects.runOfTurn(last) : undefined
    },
    reportOf: async (run, { project, startedAt }) => {
      const turns = await turnsSince((input) => agents.runs(input), startedAt)
      const own = turns.filter((one) => one.turn?.project === project && runOfTurn(one.turn, [run]))
      const asked: ChangesAsk = {
        recorded: (input) => Promise.resolve(loops.commits(input)),
        named: (input) => projects.ask('projects.namedCommits', input),
        difference: (input) => projects.ask('projects.difference', input),
      }
      const changes = await changesOf(asked, { project, run: run.key }, own)
      return runReport(run, own, changes, Date.now())
    },
    raise,
    log,
  })
  const projects: Projects = new Projects({
    database,
    formats,
    startWorker: startProjectWorker(join(dirname(workerPath), 'projectsWorker.cjs'), databasePath),
    onChanged: (changes) => emit('projects.changed', changes),
    onRuns: (project, runs, isNew) => notices.runs(project, runs, isNew),
    onOverwritten: (event) => emit('projects.overwritten', event),
    onEdited: (event) => {
      emit('projects.edited', event)
      loops.resumeReleased(event.project)
    },
    openings: quarantine,
    log,
  })
  const loops: Loops = new Loops({
    loops: [
      metashellLoop(join(dirname(resources), 'metashell')),
      ncrewLoop(join(dirname(resources), 'ncrew', 'default')),
      maestroLoop,
      tuningLoop,
    ],
    agents,
    commandOf: (agent) => JSON.stringify(agents.setups.require(agent)),
    hasProgram: (agent) => agents.setups.hasProgram(agent),
    leftAtWork: () => agents.findLeft(),
    hosts: new HostStore(database),
    uncommittedChanges: () => settings.current.uncommittedChanges,
    spending: new SpendingStore(database),
    limits: () => settings.current.agentLimits,
    priceProblem: () => prices.problem,
    workOf: (name) => projects.runOf(name)?.work,
    earlierTurns: () => agents.ended,
    sidecar: new SidecarStore(database, (project, run) => projects.reread(project, run)),
    placeOf: (name) =>
      name.system === 'maestro' && !isMaestroSession(name.place)
        ? projects.placeOfBatch(name)
        : projects.placeOfRun(name),
    requireTrusted: (project, folder) => projects.requireTrusted(project, folder),
    actionsOf: (project, run) => ({
      offered: async () => {
        await projects.settle(project)
        return (await projects.ask('projects.actions', { project, run, target: null })).actions
      },
      write: async (request) => {
        const { token } = await projects.ask('projects.preview', { project, run, request })
        return projects.ask('projects.write', { project, run, request, token })
      },
    }),
    namedAs: (name) => projects.namedAs(name),
    rootOf: (project) => projects.folder(project).root,
    foldersOf: (project) => projects.runFolders(project),
    agentAtWork: (project, agent) => projects.agentAtWork(project, agent),
    announceWrite: (project, change) => projects.announceWrite(project, change),
    folder: join(dataFolder, 'loops'),
    onChanged: (changed) => {
      emit('loops.changed', { loops: changed })
      runEnds.loops(changed)
    },
    log,
  })
  return { agents, prices, projects, loops, notices }
}

export const createSteering = (
  { options: { lifetime, log }, stores: { database, notes, settings }, emit }: Context,
  {
    machines,
    values,
    catalog,
    recorder,
    notices,
  }: {
    machines: MachineManager
    values: ValueSearches
    catalog: ConnectionCatalog
    recorder: Recorder
    notices: Notices
  },
): Steering =>
  new Steering({
    notes,
    frozen: values,
    takesBack: () => settings.current.agentsLeave === 'takeBack',
    machines: {
      live: (machine) => machines.live(machine),
      isKnown: (machine) =>
        machine === 'builtin' || machines.stateOf(machine)?.wasLive === true || catalog.isSaved(machine),
      isRunning: (machine) => machines.stateOf(machine)?.execution === 'running',
    },
    calls: new AgentCallStore(database),
    canAsk: lifetime === 'window',
    onChanged: (state) => {
      emit('steering.changed', state)
      notices.questions(state.questions)
    },
    onCalled: (changed) => emit('steering.called', changed),
    mark: (machine, text) => {
      markMachine({ recorder, emit }, machine, { text, value: null }).catch((error: unknown) => {
        if (!(error instanceof AppError)) log('What an agent did could not be marked in a recording', error)
      })
    },
  })

export const createBuilds = (
  { stores: { notes }, emit }: Context,
  { agents, projects, programs }: { agents: Agents; projects: Projects; programs: Programs },
): Builds =>
  new Builds({
    agents,
    programs,
    store: new BuildStore(notes),
    requireTrusted: (folder) => projects.requireTrustedFolder(folder),
    identify: (folder) => identifyFolder(folder).identity,
    onChanged: (build) => emit('builds.changed', { build }),
  })

export const createRegexMatcher = (workerPath: string): RegexMatcher =>
  new RegexMatcher(join(dirname(workerPath), 'regexWorker.cjs'))

function defaultSampling(
  name: string,
  { viceSampling, hardwareSampling }: Settings,
): { mode: SamplingMode; rate: number } {
  const { kind, link } = parseMachineName(name)
  switch (kind) {
    case 'builtin':
      return { mode: 'free', rate: 60 }
    case 'vice': {
      const { mode, rate } = viceSampling
      if (mode !== 'auto') return { mode, rate }
      return { mode: link === null ? 'lockStep' : 'free', rate }
    }
    default:
      return { mode: 'free', rate: hardwareSampling.rate }
  }
}
