import type { Tool } from './tool'
import { debugTool } from './tools/debug'
import { deviceTool } from './tools/device'
import { drivesTool } from './tools/drives'
import { graphicsTool } from './tools/graphics'
import { machineTool } from './tools/machine'
import { memoryTool } from './tools/memory'
import { projectTool } from './tools/project'
import { recordingTool } from './tools/recording'
import { runTool } from './tools/run'
import { seeTool } from './tools/see'
import { snapshotTool } from './tools/snapshot'
import { soundTool } from './tools/sound'
import { tasksTool } from './tools/tasks'
import { typeTool } from './tools/type'

export const tools: readonly Tool[] = [
  machineTool,
  seeTool,
  memoryTool,
  runTool,
  debugTool,
  typeTool,
  graphicsTool,
  soundTool,
  snapshotTool,
  tasksTool,
  recordingTool,
  drivesTool,
  deviceTool,
  projectTool,
]
