import { createAgentClientHandlers } from './commands/agentClients'
import { createBuildHandlers } from './commands/builds'
import { createConnectionHandlers } from './commands/connections'
import { createDataHandlers } from './commands/data'
import { createGraphicsHandlers } from './commands/graphics'
import { createLoopHandlers } from './commands/loops'
import { createMachineFileHandlers } from './commands/machineFiles'
import { createProjectHandlers } from './commands/projects'
import { createRecorderHandlers } from './commands/recorder'
import type { MainServices } from './commands/services'
import { createSnapshotHandlers } from './commands/snapshots'
import { createSettingsHandlers } from './commands/settings'
import { createTaskHandlers } from './commands/tasks'
import { createWindowHandlers } from './commands/window'
import type { MainHandlers } from './router'

export const createMainHandlers = (services: MainServices): MainHandlers => ({
  ...createAgentClientHandlers(services),
  ...createBuildHandlers(services),
  ...createDataHandlers(services),
  ...createGraphicsHandlers(services),
  ...createMachineFileHandlers(services),
  ...createRecorderHandlers(services),
  ...createSnapshotHandlers(services),
  ...createSettingsHandlers(services),
  ...createConnectionHandlers(services),
  ...createTaskHandlers(services),
  ...createProjectHandlers(services),
  ...createLoopHandlers(services),
  ...createWindowHandlers(services),
})
