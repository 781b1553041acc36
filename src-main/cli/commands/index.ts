/** Every command of the command line, in the order of the help. */
import type { Command } from '../command'
import { bridgeStart } from './bridge/start'
import { bridgeStatus } from './bridge/status'
import { bridgeStop } from './bridge/stop'
import { machines } from './machines'
import { maestroEnsureWorkspace } from './maestro/ensureWorkspace'
import { maestroReadActiveSession } from './maestro/readActiveSession'
import { maestroReadState } from './maestro/readState'
import { maestroWriteState } from './maestro/writeState'
import { metashellRollback } from './metashell/rollback'
import { metashellResume, metashellRun } from './metashell/run'
import { ncrewDoctor } from './ncrew/doctor'
import { ncrewInit } from './ncrew/init'
import { ncrewLogs } from './ncrew/logs'
import { ncrewResume, ncrewRun } from './ncrew/run'
import { ncrewStatus } from './ncrew/status'
import { projectAct, projectAnswer } from './project/act'
import { projectDistrust } from './project/distrust'
import { projectInspect } from './project/inspect'
import { projectNeeds } from './project/needs'
import { projectTrust } from './project/trust'
import { projectValidate } from './project/validate'
import { projectWatch } from './project/watch'
import { read } from './read'
import { recordingExport } from './recording/export'
import { recordingInfo } from './recording/info'
import { recordingList } from './recording/list'
import { recordingQuery } from './recording/query'
import { registers } from './registers'
import { run } from './run'
import { screen } from './screen'
import { taskDelete } from './task/delete'
import { taskList } from './task/list'
import { taskLog } from './task/log'
import { taskOperations } from './task/operations'
import { taskResume } from './task/resume'
import { taskRun } from './task/run'
import { taskShow } from './task/show'
import { taskStart } from './task/start'
import { taskStop } from './task/stop'
import { taskStopAll } from './task/stopAll'
import { watch } from './watch'
import { write } from './write'

export const commands: readonly Command[] = [
  machines,
  read,
  write,
  screen,
  registers,
  run,
  watch,
  recordingList,
  recordingInfo,
  recordingQuery,
  recordingExport,
  taskOperations,
  taskRun,
  taskStart,
  taskList,
  taskShow,
  taskLog,
  taskStop,
  taskStopAll,
  taskResume,
  taskDelete,
  bridgeStatus,
  bridgeStart,
  bridgeStop,
  projectInspect,
  projectValidate,
  projectNeeds,
  projectWatch,
  projectAnswer,
  projectAct,
  projectTrust,
  projectDistrust,
  metashellRun,
  metashellResume,
  metashellRollback,
  ncrewInit,
  ncrewRun,
  ncrewResume,
  ncrewStatus,
  ncrewLogs,
  ncrewDoctor,
  maestroReadState,
  maestroWriteState,
  maestroReadActiveSession,
  maestroEnsureWorkspace,
]
