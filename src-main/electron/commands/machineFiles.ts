import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { labelFileEndings } from '@shared/c64/labels/programLabel'
import { toFailure } from '@shared/contract/errors'
import { anyFile } from './fileFilters'
import { savedFile, saveTo } from './savedFile'
import type { MainAreaHandlers, MainServices } from './services'

const programs = [
  { name: 'C64 programs', extensions: ['prg', 'p00', 'd64', 'g64', 'd71', 'd81', 't64', 'crt', 'sid', 'mod'] },
  anyFile,
]
const diskImages = [{ name: 'Disk images', extensions: ['d64', 'g64', 'd71', 'g71', 'd81'] }, anyFile]
const labelFiles = [{ name: 'Labels and debug files', extensions: [...labelFileEndings] }, anyFile]
const states = [{ name: 'Bridgedeck state', extensions: ['bridgedeck-state'] }, anyFile]

type Services = Pick<MainServices, 'bridge' | 'dialogs' | 'grants' | 'stubPath'>

export const createMachineFileHandlers = ({
  bridge,
  dialogs,
  grants,
  stubPath,
}: Services): MainAreaHandlers<'program' | 'drive' | 'state' | 'files' | 'labels'> => ({
  'program.choose': async () => {
    const path = await dialogs.open('program', 'Load and run a program', programs)
    return { file: path === undefined ? null : grants.issue(path) }
  },
  'program.listGranted': ({ grant }, signal) => bridge('machine.imagePrograms', { path: grants.look(grant) }, signal),
  'program.runGranted': async ({ grant, ...run }, signal) => {
    const { name } = await bridge('machine.runProgram', { ...run, path: grants.look(grant) }, signal)
    grants.take(grant)
    return { name }
  },
  'drive.choose': async ({ machine, drive, mode }, signal) => {
    const path = await dialogs.open('image', `Mount a disk image in drive ${drive}`, diskImages)
    if (path === undefined) return { name: null }
    await bridge('machine.mountImage', { machine, drive, path, mode }, signal)
    return { name: basename(path) }
  },
  'drive.mountGranted': async ({ machine, grant, drive, mode }, signal) => {
    await bridge('machine.mountImage', { machine, drive, path: grants.take(grant), mode }, signal)
    return {}
  },
  'files.upload': async ({ machine, folder }, signal) => {
    const path = await dialogs.open('machineFile', `Copy a file to ${folder}`, [anyFile])
    if (path === undefined) return { name: null }
    const upload = (replace: boolean) => bridge('machine.uploadFile', { machine, path, folder, replace }, signal)
    const name = basename(path)
    try {
      await upload(false)
    } catch (error) {
      if (toFailure(error).details?.exists !== true) throw error
      const question = { message: `Replace ${name}?`, detail: `${folder} has a file of that name.`, button: 'Replace' }
      if (!(await dialogs.confirm(question))) return { name: null }
      await upload(true)
    }
    return { name }
  },
  'files.download': async ({ machine, path: from }, signal) => {
    const path = await dialogs.save('machineFile', 'Save the file', basename(from), [anyFile])
    if (path === undefined) return { saved: null }
    await bridge('machine.downloadFile', { machine, from, path }, signal)
    return { saved: savedFile(grants, path) }
  },
  'state.save': async ({ machine, past }, signal) => {
    const [title, ending] = past === 0 ? ['Save the machine’s state', ''] : ['Save a bug report', '-report']
    const suggestion = `${machine.replace(/\W/g, '-')}${ending}.bridgedeck-state`
    const path = await dialogs.save('state', title, suggestion, states)
    if (path === undefined) return { saved: null }
    await bridge('machine.saveState', { machine, path, past }, signal)
    return { saved: savedFile(grants, path) }
  },
  'state.load': async ({ machine }, signal) => {
    const path = await dialogs.open('state', 'Load a machine’s state', states)
    if (path === undefined) return { name: null }
    await bridge('machine.loadState', { machine, path }, signal)
    return { name: basename(path) }
  },
  'state.loadGranted': async ({ machine, grant }, signal) => {
    await bridge('machine.loadState', { machine, path: grants.take(grant) }, signal)
    return {}
  },
  'labels.choose': async ({ machine }, signal) => {
    const path = await dialogs.open('program', 'Load the labels of a program', labelFiles)
    return { file: path === undefined ? null : await bridge('labels.load', { machine, path }, signal) }
  },
  'labels.loadGranted': ({ machine, grant }, signal) =>
    bridge('labels.load', { machine, path: grants.take(grant) }, signal),
  'program.saveStub': async () =>
    saveTo(
      grants,
      await dialogs.save('program', 'Save the stub for the C64', 'stub.prg', [
        { name: 'C64 program', extensions: ['prg'] },
      ]),
      await readFile(stubPath),
    ),
})
