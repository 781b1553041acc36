/** What agents can do with machines, tasks, recordings and projects: few tools, each a job with its operations. */
import { checkpointAdd } from '../commands/checkpoint/add'
import { checkpointDelete } from '../commands/checkpoint/delete'
import { checkpointDisable, checkpointEnable } from '../commands/checkpoint/enable'
import { checkpointList } from '../commands/checkpoint/list'
import { checkpointLog } from '../commands/checkpoint/log'
import { connectionSearch } from '../commands/connection/search'
import { connectionTest } from '../commands/connection/test'
import { driveList } from '../commands/drive/list'
import { driveSet } from '../commands/drive/set'
import { fileDownload } from '../commands/file/download'
import { fileList } from '../commands/file/list'
import { fileMount } from '../commands/file/mount'
import { fileRun } from '../commands/file/run'
import { fileUpload } from '../commands/file/upload'
import { labelList } from '../commands/label/list'
import { labelLoad } from '../commands/label/load'
import { machineAssemble } from '../commands/machine/assemble'
import { machineBack } from '../commands/machine/back'
import { machineCheck } from '../commands/machine/check'
import { machineCoverage } from '../commands/machine/coverage'
import { machineDisassemble } from '../commands/machine/disassemble'
import { machineInterrupts } from '../commands/machine/interrupts'
import { machineLayout } from '../commands/machine/layout'
import { machineList } from '../commands/machine/list'
import { machineListing } from '../commands/machine/listing'
import { machineMount } from '../commands/machine/mount'
import { machinePause } from '../commands/machine/pause'
import { machineProfile } from '../commands/machine/profile'
import { machineRead } from '../commands/machine/read'
import { machineReset } from '../commands/machine/reset'
import { machineResource } from '../commands/machine/resource'
import { machineResume } from '../commands/machine/resume'
import { machineRun } from '../commands/machine/run'
import { machineScreen } from '../commands/machine/screen'
import { machineSearch } from '../commands/machine/search'
import { machineStep } from '../commands/machine/step'
import { machineTrace } from '../commands/machine/trace'
import { machineType } from '../commands/machine/type'
import { machineUnmount } from '../commands/machine/unmount'
import { machineWatch } from '../commands/machine/watch'
import { machineWhy } from '../commands/machine/why'
import { machineWrite } from '../commands/machine/write'
import { projectAct, projectAnswer } from '../commands/project/act'
import { projectInspect } from '../commands/project/inspect'
import { projectNeeds } from '../commands/project/needs'
import { recordingList } from '../commands/recording/list'
import { recordingMark, recordingMarks } from '../commands/recording/marks'
import { recordingQuery } from '../commands/recording/query'
import { recordingShow } from '../commands/recording/show'
import { registerSet } from '../commands/register/set'
import { registerShow } from '../commands/register/show'
import { snapshotDelete } from '../commands/snapshot/delete'
import { snapshotDiff } from '../commands/snapshot/diff'
import { snapshotList } from '../commands/snapshot/list'
import { snapshotSave } from '../commands/snapshot/save'
import { stateLoad } from '../commands/state/load'
import { stateSave } from '../commands/state/save'
import { taskList } from '../commands/task/list'
import { taskLog } from '../commands/task/log'
import { taskOperations } from '../commands/task/operations'
import { taskRun } from '../commands/task/run'
import { taskShow } from '../commands/task/show'
import { taskStart } from '../commands/task/start'
import { taskStop } from '../commands/task/stop'
import { valueFreeze } from '../commands/value/freeze'
import { valueKeep } from '../commands/value/keep'
import { valueList } from '../commands/value/list'
import { valueRelease } from '../commands/value/release'
import { valueStart } from '../commands/value/start'
import { valueUndo } from '../commands/value/undo'
import { taskPaths } from './taskPaths'
import { change, files, look, power, type Tool } from './tool'

/** In the order in which a client shows them. */
export const tools: readonly Tool[] = [
  {
    name: 'machine',
    title: 'Machines',
    about: 'The C64s: builtin, vice, vice:PORT, u64:HOST, serial:PORT. Others connect when they are first used.',
    operations: {
      list: look(machineList, 'all, with their state'),
      search: look(connectionSearch, 'look for devices on the network'),
      test: look(connectionTest, 'check what a machine can do'),
      pause: change(machinePause, 'stop the CPU'),
      resume: change(machineResume, 'let it run'),
      reset: change(machineReset, 'reset; kind power clears memory'),
      resource: power(machineResource, 'a setting of VICE'),
    },
  },
  {
    name: 'see',
    title: 'See the C64',
    about: 'What the C64 shows and has loaded.',
    operations: {
      screen: look(machineScreen, 'the text screen', { isForeign: true }),
      picture: look(machineScreen, 'the screen as an image', { isPicture: true }),
      listing: look(machineListing, 'the BASIC program', { isForeign: true }),
      layout: look(machineLayout, 'what lies where in memory'),
      labels: look(labelList, 'names of the loaded program', { isForeign: true }),
    },
  },
  {
    name: 'memory',
    title: 'Memory',
    about: 'Addresses: $d020, 53280, a label, main+3, VIC.BORDER. Ranges: $c000-$c0ff, SID.',
    operations: {
      read: look(machineRead, 'bytes, or as names, assembler, basic, c'),
      write: change(machineWrite, 'hex bytes'),
      search: look(machineSearch, 'bytes with ??, text, words, pointers, instructions'),
      why: look(machineWhy, 'what a byte is for, and who wrote it'),
      diff: look(snapshotDiff, 'a snapshot against another, or @MACHINE'),
      watch: look(machineWatch, 'values over time, until a condition'),
      coverage: look(machineCoverage, 'what ran, was read, was written'),
      find_value: look(valueStart, 'begin to look for a value'),
      keep: look(valueKeep, 'keep what changed as said'),
      undo: look(valueUndo, 'take a keep back'),
      found: look(valueList, 'the addresses that are left'),
      freeze: change(valueFreeze, 'hold a byte at a value'),
      release: change(valueRelease, 'end that'),
    },
  },
  {
    name: 'run',
    title: 'Run programs',
    about: 'Loads and starts a program. With screen or wait_for, the answer has the screen.',
    operations: {
      assembly: change(machineRun, 'assembler source: labels, .byte, .word, .text, *=', {
        source: '.asm',
        isForeign: true,
      }),
      basic: change(machineRun, 'BASIC text with line numbers', { source: '.bas', isForeign: true }),
      file: files(machineRun, 'PRG, CRT, D64, SID, .asm, .bas', { isForeign: true }),
      check: files(machineCheck, 'YAML files of checks: programs and what is expected of them', { isForeign: true }),
      on_device: change(fileRun, 'a file on the machine’s own storage'),
    },
  },
  {
    name: 'debug',
    title: 'Debug',
    about: 'CPU, code, checkpoints, time travel (builtin).',
    operations: {
      registers: look(registerShow, 'CPU, with the next instruction'),
      set: change(registerSet, 'a register'),
      disassemble: look(machineDisassemble, 'code with labels'),
      assemble: change(machineAssemble, 'one instruction in place'),
      step: change(machineStep, 'count, over, to an address, to_next line, frame, irq, return'),
      back: change(machineBack, 'back in time'),
      trace: change(machineTrace, 'the next instructions'),
      profile: look(machineProfile, 'where the cycles go'),
      interrupts: look(machineInterrupts, 'handlers in a frame'),
      checkpoint: change(checkpointAdd, 'stop, count or log at an access'),
      checkpoints: look(checkpointList, 'all of them'),
      delete: change(checkpointDelete, 'a checkpoint'),
      enable: change(checkpointEnable, 'a checkpoint'),
      disable: change(checkpointDisable, 'a checkpoint'),
      log: look(checkpointLog, 'what checkpoints logged'),
      load_labels: files(labelLoad, 'a label or debug file'),
    },
  },
  {
    name: 'type',
    title: 'Type',
    about: 'The keyboard of the C64.',
    operations: { text: change(machineType, 'type; return presses RETURN') },
  },
  {
    name: 'snapshot',
    title: 'Snapshots and states',
    about: 'Memory under a name, to compare later; whole states in files. Take one before a risky step.',
    operations: {
      save: look(snapshotSave, 'memory under a name'),
      list: look(snapshotList, 'all of them'),
      delete: change(snapshotDelete, 'one'),
      save_state: files(stateSave, 'the machine into a file'),
      load_state: files(stateLoad, 'a file into the machine'),
    },
  },
  {
    name: 'tasks',
    title: 'Tasks',
    about: 'Work of Bridgedeck itself, once or again and again.',
    operations: {
      operations: look(taskOperations, 'what tasks can do'),
      run: change(taskRun, 'once; args is JSON', { paths: taskPaths }),
      start: change(taskStart, 'again and again', { paths: taskPaths }),
      list: look(taskList, 'all'),
      show: look(taskShow, 'one, with its result'),
      log: look(taskLog, 'of one'),
      stop: change(taskStop, 'one'),
    },
  },
  {
    name: 'recording',
    title: 'Recordings',
    about: 'What was recorded of a machine’s memory over time.',
    operations: {
      list: look(recordingList, 'all'),
      show: look(recordingShow, 'one'),
      query: look(recordingQuery, 'when a byte changed, what it was'),
      marks: look(recordingMarks, 'marked moments'),
      mark: look(recordingMark, 'mark now'),
    },
  },
  {
    name: 'drives',
    title: 'Disk drives',
    about: 'Drives and their disks.',
    operations: {
      list: look(driveList, 'all'),
      mount: files(machineMount, 'a disk image of this computer'),
      mount_on_device: power(fileMount, 'a disk image of the machine’s own storage'),
      unmount: power(machineUnmount, 'a disk'),
      set: power(driveSet, 'power, model, reset'),
    },
  },
  {
    name: 'device',
    title: 'Storage of a device',
    about: 'Files on an Ultimate.',
    operations: {
      list: look(fileList, 'a folder', { isForeign: true }),
      upload: files(fileUpload, 'a file to it'),
      download: files(fileDownload, 'a file from it'),
    },
  },
  {
    name: 'project',
    title: 'Projects of agents',
    about: 'Orchestrations in a folder: what they are at, and what they need.',
    operations: {
      inspect: look(projectInspect, 'its runs', { isForeign: true }),
      needs: look(projectNeeds, 'what waits for an answer', { isForeign: true }),
      answer: files(projectAnswer, 'a question'),
      act: files(projectAct, 'approve, retry, pause …'),
    },
  },
]
