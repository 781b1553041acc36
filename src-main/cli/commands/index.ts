/** Every command of the command line, in the order of the help. */
import type { Command } from '../command'
import { agentsAdd } from './agents/add'
import { agentsList } from './agents/list'
import { agentsRemove } from './agents/remove'
import { agentsRuns } from './agents/runs'
import { agentsStop } from './agents/stop'
import { bridgeOpenAnyway } from './bridge/openAnyway'
import { bridgeQuarantine } from './bridge/quarantine'
import { bridgeStart } from './bridge/start'
import { bridgeStatus } from './bridge/status'
import { bridgeStop } from './bridge/stop'
import { checkpointsAdd } from './checkpoints/add'
import { checkpointsDelete } from './checkpoints/delete'
import { checkpointsDisable, checkpointsEnable } from './checkpoints/enable'
import { checkpointsList } from './checkpoints/list'
import { connectionsForget } from './connections/forget'
import { connectionsList } from './connections/list'
import { connectionsSave } from './connections/save'
import { connectionsSearch } from './connections/search'
import { connectionsTest } from './connections/test'
import { drivesList } from './drives/list'
import { drivesSet } from './drives/set'
import { filesDownload } from './files/download'
import { filesList } from './files/list'
import { filesMount } from './files/mount'
import { filesRun } from './files/run'
import { filesUpload } from './files/upload'
import { machines } from './machines'
import { maestroEnsureWorkspace } from './maestro/ensureWorkspace'
import { maestroReadActiveSession } from './maestro/readActiveSession'
import { maestroReadState } from './maestro/readState'
import { maestroWriteState } from './maestro/writeState'
import { metashellRollback } from './metashell/rollback'
import { metashellResume, metashellRun } from './metashell/run'
import { mount } from './mount'
import { ncrewDoctor } from './ncrew/doctor'
import { ncrewInit } from './ncrew/init'
import { ncrewLogs } from './ncrew/logs'
import { ncrewResume, ncrewRun } from './ncrew/run'
import { ncrewStatus } from './ncrew/status'
import { pause } from './pause'
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
import { registersSet } from './registers/set'
import { registersShow } from './registers/show'
import { reset } from './reset'
import { resume } from './resume'
import { resource } from './resource'
import { run } from './run'
import { screen } from './screen'
import { settingsGet } from './settings/get'
import { settingsSet } from './settings/set'
import { stateLoad } from './state/load'
import { stateSave } from './state/save'
import { step } from './step'
import { stubListen } from './stub/listen'
import { taskDelete } from './task/delete'
import { taskList } from './task/list'
import { taskLog } from './task/log'
import { taskOperations } from './task/operations'
import { taskRepair } from './task/repair'
import { taskResume } from './task/resume'
import { taskRun } from './task/run'
import { taskShow } from './task/show'
import { taskStart } from './task/start'
import { taskStop } from './task/stop'
import { taskStopAll } from './task/stopAll'
import { type } from './type'
import { unmount } from './unmount'
import { watch } from './watch'
import { write } from './write'

export const commands: readonly Command[] = [
  machines,
  read,
  write,
  screen,
  registersShow,
  registersSet,
  run,
  watch,
  pause,
  resume,
  step,
  reset,
  type,
  checkpointsList,
  checkpointsAdd,
  checkpointsDelete,
  checkpointsEnable,
  checkpointsDisable,
  stateSave,
  stateLoad,
  drivesList,
  drivesSet,
  filesList,
  filesUpload,
  filesDownload,
  filesMount,
  filesRun,
  mount,
  unmount,
  resource,
  stubListen,
  connectionsList,
  connectionsSearch,
  connectionsTest,
  connectionsSave,
  connectionsForget,
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
  taskRepair,
  bridgeStatus,
  bridgeStart,
  bridgeStop,
  bridgeQuarantine,
  bridgeOpenAnyway,
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
  agentsList,
  agentsAdd,
  agentsRemove,
  agentsRuns,
  agentsStop,
  settingsGet,
  settingsSet,
]
