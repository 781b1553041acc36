import type { StandInRom } from '@shared/c64/standInRom'
import { createAgentClientHandlers, type AgentClientParts } from '../agentClients/handlers'
import { createAgentHandlers, createAgentRunHandlers } from '../agents/handlers'
import type { Agents } from '../agents/agents'
import type { PriceFile } from '../agents/prices/priceFile'
import { createConnectionHandlers, type ConnectionParts } from '../connections/handlers'
import { createDataHandlers, type DataParts } from '../data/handlers'
import { createLoopHandlers } from '../loops/handlers'
import type { Loops } from '../loops/loops'
import { createBuildHandlers } from '../builds/handlers'
import type { Builds } from '../builds/builds'
import { createLabelHandlers } from '../labels/handlers'
import type { Labels } from '../labels/labels'
import { createMachineHandlers, createMemoryHandlers, type MachineParts } from '../machine/handlers'
import { createMemorySnapshotHandlers, type MemorySnapshotParts } from '../machine/memorySnapshotHandlers'
import { createRunningHandlers } from '../machine/runningHandlers'
import { createTimeTravelHandlers } from '../machine/timeTravelHandlers'
import { createValueHandlers, type ValueParts } from '../machine/valueHandlers'
import { createNoteHandlers, type NoteParts } from '../notes/handlers'
import { createProjectHandlers, type ProjectParts } from '../projects/handlers'
import { createRecorderHandlers, type RecorderParts } from '../recorder/handlers'
import type { Area, AreaHandlers, Handlers } from '../rpc/commands'
import type { SettingsStore } from '../storage/settings'
import type { SheetStore } from '../storage/sheets'
import { createLifetimeHandlers, type LifetimeParts } from './lifetimeHandlers'
import { createQuarantineHandlers, type QuarantineParts } from './quarantineHandlers'
import { createSteeringHandlers, noAgentHandlers } from '../steering/handlers'
import type { Steering } from '../steering/steering'
import { createTaskHandlers } from '../tasks/handlers'
import type { Tasks } from '../tasks/tasks'

interface Parts
  extends
    MachineParts,
    ValueParts,
    MemorySnapshotParts,
    ConnectionParts,
    RecorderParts,
    ProjectParts,
    NoteParts,
    LifetimeParts,
    AgentClientParts,
    QuarantineParts,
    DataParts {
  readonly passwords: MachineParts['passwords'] & ConnectionParts['passwords']
  readonly settings: SettingsStore
  readonly sheets: SheetStore
  readonly tasks: Tasks
  readonly loops: Loops
  readonly labels: Labels
  readonly standInRom: () => Promise<StandInRom>
  readonly builds: Builds
  readonly agents: Agents
  readonly prices: PriceFile
  readonly steering: Steering
  readonly onSettingsAsked: () => void
}

export function createHandlers(parts: Parts): Handlers {
  const { settings, sheets, onSettingsAsked } = parts
  const areas: { readonly [Name in Area]: AreaHandlers<Name> } = {
    machine: createMachineHandlers(parts),
    memory: createMemoryHandlers(parts),
    timeTravel: createTimeTravelHandlers(parts),
    running: createRunningHandlers(parts),
    values: createValueHandlers(parts),
    snapshots: createMemorySnapshotHandlers(parts),
    labels: createLabelHandlers(parts),
    notes: createNoteHandlers(parts),
    builds: createBuildHandlers(parts),
    connections: createConnectionHandlers(parts),
    recorder: createRecorderHandlers(parts),
    tasks: createTaskHandlers(parts),
    projects: createProjectHandlers(parts),
    loops: createLoopHandlers(parts),
    agents: createAgentHandlers(parts),
    agentClients: createAgentClientHandlers(parts),
    agentRuns: createAgentRunHandlers(parts),
    steering: createSteeringHandlers(parts),
    agentLine: noAgentHandlers,
    bridge: createLifetimeHandlers(parts),
    quarantine: createQuarantineHandlers(parts),
    data: createDataHandlers(parts),
    graphics: {
      'graphics.sheet': () => ({ bytes: sheets.get() }),
      'graphics.keepSheet': ({ bytes, setsAside }) => {
        sheets.keep(bytes, setsAside ? Date.now() : null)
        return {}
      },
    },
    settings: {
      'settings.get': () => {
        onSettingsAsked()
        return settings.current
      },
      'settings.set': (changes) => settings.change(changes),
      'settings.setPaths': (changes) => settings.change(changes),
    },
  }
  return Object.assign({}, ...Object.values(areas)) as Handlers
}
