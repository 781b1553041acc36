import type { Command } from '../command'
import { agentAdd } from './agent/add'
import { agentList } from './agent/list'
import { agentDelete } from './agent/delete'
import { agentPrices } from './agent/prices'
import { agentRuns } from './agent/runs'
import { agentStop } from './agent/stop'
import { apiCall } from './api/call'
import { apiServe } from './api/serve'
import { bridgeOpenAnyway } from './bridge/openAnyway'
import { bridgeQuarantine } from './bridge/quarantine'
import { bridgeStart } from './bridge/start'
import { bridgeStatus } from './bridge/status'
import { bridgeStop } from './bridge/stop'
import { checkpointAdd } from './checkpoint/add'
import { checkpointDelete } from './checkpoint/delete'
import { checkpointDisable, checkpointEnable } from './checkpoint/enable'
import { checkpointList } from './checkpoint/list'
import { checkpointLog } from './checkpoint/log'
import { completionScripts } from './completion/scripts'
import { completionWords } from './completion/words'
import { connectionDelete } from './connection/delete'
import { connectionList } from './connection/list'
import { connectionSave } from './connection/save'
import { connectionSearch } from './connection/search'
import { connectionTest } from './connection/test'
import { configDiff } from './config/diff'
import { configFlash } from './config/flash'
import { configGet } from './config/get'
import { configList } from './config/list'
import { configRestore } from './config/restore'
import { configSave } from './config/save'
import { configSet } from './config/set'
import { dataBackup } from './data/backup'
import { dataShow } from './data/show'
import { driveList } from './drive/list'
import { driveLoadRom } from './drive/loadRom'
import { driveSet } from './drive/set'
import { fileCreateImage } from './file/createImage'
import { fileDownload } from './file/download'
import { fileFind } from './file/find'
import { fileList } from './file/list'
import { fileMount } from './file/mount'
import { fileRun } from './file/run'
import { fileUpload } from './file/upload'
import { graphicsConvert } from './graphics/convert'
import { graphicsExport } from './graphics/export'
import { graphicsFormatsCommand } from './graphics/formats'
import { graphicsGrab } from './graphics/grab'
import { graphicsImport } from './graphics/import'
import { help } from './help'
import { labelClear } from './label/clear'
import { labelList } from './label/list'
import { labelLoad } from './label/load'
import { graphicsCompare } from './graphics/compare'
import { machineBuild } from './machine/build'
import { machineCheck } from './machine/check'
import { machineCharset } from './machine/charset'
import { machineJoystick } from './machine/joystick'
import { machineKey } from './machine/key'
import { machineLoad } from './machine/load'
import { machineLook } from './machine/look'
import { machineMenuButton, machinePowerOff, machineReboot } from './machine/power'
import { machinePrint } from './machine/print'
import { machineStandard } from './machine/standard'
import { machineClearLeft } from './machine/clearLeft'
import { machineStatus } from './machine/status'
import { machineStream } from './machine/stream'
import { machineVic } from './machine/vic'
import { machineWarp } from './machine/warp'
import { machineLayout } from './machine/layout'
import { machineList } from './machine/list'
import { machineListing } from './machine/listing'
import { maestroDispatch } from './maestro/dispatch'
import { maestroEnsureWorkspace } from './maestro/ensureWorkspace'
import { maestroHook } from './maestro/hook'
import { maestroHooks } from './maestro/hooks'
import { maestroReadActiveSession } from './maestro/readActiveSession'
import { maestroReadState } from './maestro/readState'
import { maestroRun } from './maestro/run'
import { maestroSession } from './maestro/session'
import { maestroSyncVersion } from './maestro/syncVersion'
import { maestroWriteState } from './maestro/writeState'
import { mcpInstall } from './mcp/install'
import { mcpServe } from './mcp/serve'
import { metashellInit } from './metashell/init'
import { metashellRollback } from './metashell/rollback'
import { metashellResume, metashellRun } from './metashell/run'
import { metashellStatus } from './metashell/status'
import { machineMount } from './machine/mount'
import { ncrewDoctor } from './ncrew/doctor'
import { ncrewInit } from './ncrew/init'
import { ncrewLogs } from './ncrew/logs'
import { ncrewResume, ncrewRun } from './ncrew/run'
import { ncrewStatus } from './ncrew/status'
import { machinePause } from './machine/pause'
import { noteAdd } from './note/add'
import { noteEdit } from './note/edit'
import { noteList } from './note/list'
import { noteRemove } from './note/remove'
import { projectAct, projectAnswer } from './project/act'
import { projectDiff } from './project/diff'
import { projectDistrust } from './project/distrust'
import { projectInspect } from './project/inspect'
import { projectNeeds } from './project/needs'
import { projectTrust } from './project/trust'
import { projectWorktrees } from './project/worktrees'
import { projectValidate } from './project/validate'
import { projectWatch } from './project/watch'
import { machineRead } from './machine/read'
import { recordingExport } from './recording/export'
import { recordingShow } from './recording/show'
import { recordingList } from './recording/list'
import { recordingMark, recordingMarks, recordingUnmark } from './recording/marks'
import { recordingQuery } from './recording/query'
import { registerSet } from './register/set'
import { registerShow } from './register/show'
import { machineReset } from './machine/reset'
import { machineResume } from './machine/resume'
import { machineResource } from './machine/resource'
import { machineRun } from './machine/run'
import { machineScreen } from './machine/screen'
import { settingGet } from './setting/get'
import { settingSet } from './setting/set'
import { soundNote } from './sound/note'
import { soundOff } from './sound/off'
import { soundVolume } from './sound/volume'
import { spriteList } from './sprite/list'
import { spritePicture } from './sprite/picture'
import { spriteSet } from './sprite/set'
import { snapshotDelete } from './snapshot/delete'
import { snapshotDiff } from './snapshot/diff'
import { snapshotImport } from './snapshot/import'
import { snapshotList } from './snapshot/list'
import { snapshotRestore } from './snapshot/restore'
import { snapshotSave } from './snapshot/save'
import { stateLoad } from './state/load'
import { stateSave } from './state/save'
import { machineDisassemble } from './machine/disassemble'
import { machineAssemble } from './machine/assemble'
import { machineBack } from './machine/back'
import { machineReplay } from './machine/replay'
import { machineSearch } from './machine/search'
import { machineCopy } from './machine/copy'
import { machineCoverage } from './machine/coverage'
import { machineProfile } from './machine/profile'
import { machineFrame } from './machine/frame'
import { machineRaster } from './machine/raster'
import { machineInterrupts } from './machine/interrupts'
import { machineStep } from './machine/step'
import { machineWhy } from './machine/why'
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
import { taskWait } from './task/wait'
import { tuningDiagnose } from './tuning/diagnose'
import { tuningInit } from './tuning/init'
import { tuningReport } from './tuning/report'
import { tuningResume, tuningRun } from './tuning/run'
import { tuningStatusCommand } from './tuning/status'
import { machineTrace } from './machine/trace'
import { machineType } from './machine/type'
import { machineUnmount } from './machine/unmount'
import { report } from './report'
import { valueEnd } from './value/end'
import { valueFreeze } from './value/freeze'
import { valueKeep } from './value/keep'
import { valueList } from './value/list'
import { valueRelease } from './value/release'
import { valueStart } from './value/start'
import { valueUndo } from './value/undo'
import { version } from './version'
import { machineWatch } from './machine/watch'
import { machineWrite } from './machine/write'

export const commands: readonly Command[] = [
  machineList,
  machineStatus,
  machineClearLeft,
  machineRead,
  machineWrite,
  machineCopy,
  machineAssemble,
  machineSearch,
  machineScreen,
  machineLook,
  machineVic,
  machineFrame,
  machineRaster,
  machinePrint,
  machineCharset,
  spriteList,
  spriteSet,
  spritePicture,
  graphicsExport,
  graphicsGrab,
  graphicsImport,
  graphicsConvert,
  graphicsFormatsCommand,
  graphicsCompare,
  registerShow,
  registerSet,
  machineRun,
  machineLoad,
  machineBuild,
  machineCheck,
  machineWatch,
  machinePause,
  machineResume,
  machineStep,
  machineTrace,
  machineProfile,
  machineInterrupts,
  machineCoverage,
  machineBack,
  machineWhy,
  machineDisassemble,
  machineLayout,
  machineListing,
  machineReset,
  machineReboot,
  machinePowerOff,
  machineMenuButton,
  machineWarp,
  machineStandard,
  machineType,
  machineKey,
  machineJoystick,
  soundNote,
  soundOff,
  soundVolume,
  valueStart,
  valueKeep,
  valueUndo,
  valueList,
  valueEnd,
  valueFreeze,
  valueRelease,
  checkpointList,
  checkpointAdd,
  checkpointDelete,
  checkpointEnable,
  checkpointDisable,
  checkpointLog,
  labelList,
  labelLoad,
  labelClear,
  noteList,
  noteAdd,
  noteEdit,
  noteRemove,
  snapshotSave,
  snapshotRestore,
  snapshotImport,
  snapshotList,
  snapshotDiff,
  snapshotDelete,
  stateSave,
  stateLoad,
  machineReplay,
  driveList,
  driveSet,
  driveLoadRom,
  fileList,
  fileFind,
  fileUpload,
  fileDownload,
  fileMount,
  fileRun,
  fileCreateImage,
  machineMount,
  machineUnmount,
  machineResource,
  machineStream,
  configList,
  configGet,
  configSet,
  configSave,
  configDiff,
  configRestore,
  configFlash,
  stubListen,
  connectionList,
  connectionSearch,
  connectionTest,
  connectionSave,
  connectionDelete,
  recordingList,
  recordingShow,
  recordingQuery,
  recordingExport,
  recordingMarks,
  recordingMark,
  recordingUnmark,
  taskOperations,
  taskRun,
  taskStart,
  taskList,
  taskWait,
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
  projectDiff,
  projectAnswer,
  projectAct,
  projectTrust,
  projectDistrust,
  projectWorktrees,
  metashellInit,
  metashellRun,
  metashellResume,
  metashellStatus,
  metashellRollback,
  ncrewInit,
  ncrewRun,
  ncrewResume,
  ncrewStatus,
  ncrewLogs,
  ncrewDoctor,
  maestroDispatch,
  maestroSession,
  maestroRun,
  maestroReadState,
  maestroWriteState,
  maestroReadActiveSession,
  maestroEnsureWorkspace,
  maestroHook,
  maestroHooks,
  maestroSyncVersion,
  tuningInit,
  tuningRun,
  tuningResume,
  tuningStatusCommand,
  tuningDiagnose,
  tuningReport,
  agentList,
  agentAdd,
  agentDelete,
  agentRuns,
  agentPrices,
  agentStop,
  mcpServe,
  apiServe,
  apiCall,
  mcpInstall,
  settingGet,
  settingSet,
  dataShow,
  dataBackup,
  help,
  ...completionScripts,
  completionWords,
  report,
  version,
]
