import { Disc, Download, Play } from 'lucide-react'
import { useId, type SubmitEvent } from 'react'
import { sizeText } from '@shared/sizeText'
import type { MachineState } from '@shared/contract/machine'
import type { MachineFile } from '@shared/contract/machineStorage'
import { call } from '../../client/call'
import { limitOf } from '../../client/machines'
import { notify } from '../../client/messages'
import { notifySaved } from '../../client/savedFile'
import { Button } from '../../widgets/Button'
import { IconButton } from '../../widgets/IconButton'
import { useDraft } from './drafts'
import { Limits, Part } from './Part'
import { Problem } from '../../widgets/Problem'
import { folderAbove, isTune, pathIn } from './paths'
import { useListing } from './listings'
import { useTask } from './useTask'

export function Files({ state, onMount }: { readonly state: MachineState; readonly onMount: () => void }) {
  const { machine } = state
  const [files, folders, runFile, transferFiles, createImage] = (
    ['files', 'folders', 'runFile', 'transferFiles', 'createImage'] as const
  ).map((each) => limitOf(state, each))
  const offers: Offers = {
    folders: folders === null,
    run: runFile === null,
    transfer: transferFiles === null,
    mount: limitOf(state, 'drives') === null,
  }
  return (
    <Part title="Files on the machine">
      {files === null ? <Listing machine={machine} offers={offers} onMount={onMount} /> : null}
      {createImage === null ? <NewImage machine={machine} /> : null}
      <Limits of={[files, folders, runFile, transferFiles, createImage]} />
    </Part>
  )
}

interface Offers {
  readonly folders: boolean
  readonly run: boolean
  readonly transfer: boolean
  readonly mount: boolean
}

interface ListingProps {
  readonly machine: string
  readonly offers: Offers
  readonly onMount: () => void
}

function Listing({ machine, offers, onMount }: ListingProps) {
  const listsFolders = offers.folders
  const id = useId()
  const [typed = listsFolders ? '/' : '', setTyped] = useDraft(`${machine} files`)
  const [listing, setListing] = useListing(machine)
  const { isBusy, failure, run } = useTask()
  const list = (path: string) => {
    setTyped(path)
    run(async () => setListing({ path, files: (await call('machine.files', { machine, path })).files }))
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const path = typed.trim()
    if (path !== '' || listsFolders) list(path === '' ? '/' : path)
  }
  const upload = (folder: string) =>
    run(async () => {
      const { name } = await call('files.upload', { machine, folder })
      if (name === null) return
      notify(`${name} copied to ${folder}.`)
      setListing({ path: folder, files: (await call('machine.files', { machine, path: folder })).files })
    })
  const above = listsFolders && listing ? folderAbove(listing.path) : undefined
  return (
    <>
      <form className="device-form" onSubmit={submit}>
        <label htmlFor={id}>{listsFolders ? 'Folder or file' : 'File'}</label>
        <input
          id={id}
          className="field data"
          value={typed}
          maxLength={1_000}
          placeholder={listsFolders ? '/' : '/Usb0/demo.prg'}
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
        />
        <button type="submit" className="button" aria-disabled={isBusy || (!listsFolders && typed.trim() === '')}>
          {isBusy ? 'Loading…' : listsFolders ? 'List' : 'Look it up'}
        </button>
        {above ? <Button label="Folder above" onClick={() => list(above)} /> : null}
        {listing && offers.transfer ? <Button label="Copy a file here…" onClick={() => upload(listing.path)} /> : null}
      </form>
      <Problem failure={failure} />
      {listing === undefined ? null : (
        <>
          <p className="muted device-path">{listing.files.length === 0 ? `${listing.path} is empty.` : listing.path}</p>
          <ul className="device-files" aria-label={listsFolders ? `What ${listing.path} holds` : listing.path}>
            {listing.files.map((file) => (
              <FileRow
                key={file.name}
                machine={machine}
                file={file}
                path={isNamed(listing, file) ? listing.path : pathIn(listing.path, file.name)}
                offers={offers}
                onMount={onMount}
                onOpen={list}
              />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

interface FileRowProps {
  readonly machine: string
  readonly file: MachineFile
  readonly path: string
  readonly offers: Offers
  readonly onMount: () => void
  readonly onOpen: (path: string) => void
}

function FileRow({ machine, file: { name, size, folder }, path, offers, onMount, onOpen }: FileRowProps) {
  const { isBusy, failure, run } = useTask()
  const why = isBusy ? 'Still working.' : null
  const verb = isTune(name) ? 'Play' : 'Run'
  const hasSongs = /\.sid$/i.test(name)
  const [song = '', setSong] = useDraft(`${machine} song of ${path}`)
  const start = async () => {
    const chosen = hasSongs && song !== '' ? { song: Number(song) } : {}
    await call('machine.runFile', { machine, path, ...chosen })
    notify(`${name} was started.`)
  }
  const mount = async () => {
    await call('machine.mountFile', { machine, drive: 'a', path, mode: 'readwrite' })
    onMount()
    notify(`${name} is in drive A.`)
  }
  const download = async () => notifySaved((await call('files.download', { machine, path })).saved)
  return (
    <li>
      {folder ? (
        <button type="button" className="device-folder data" onClick={() => onOpen(path)}>
          {name}/
        </button>
      ) : (
        <span className="data">{name}</span>
      )}
      <span className="muted data">{size === null ? '' : sizeText(size)}</span>
      {folder || !offers.run || !hasSongs ? null : (
        <label className="device-song">
          Song
          <input
            className="field data"
            type="number"
            min={1}
            max={256}
            placeholder="1"
            value={song}
            aria-label={`Song of ${name}`}
            onChange={({ target }) => setSong(target.value === '' ? undefined : target.value)}
          />
        </label>
      )}
      {folder || !offers.run ? null : (
        <IconButton label={`${verb} ${name}`} icon={Play} why={why} onClick={() => run(start)} />
      )}
      {!folder && offers.mount && isImage(name) ? (
        <IconButton label={`Mount ${name} in drive A`} icon={Disc} why={why} onClick={() => run(mount)} />
      ) : null}
      {!folder && offers.transfer ? (
        <IconButton label={`Save ${name} here…`} icon={Download} why={why} onClick={() => run(download)} />
      ) : null}
      <Problem failure={failure} />
    </li>
  )
}

const isNamed = ({ path, files }: { path: string; files: readonly MachineFile[] }, { name, folder }: MachineFile) =>
  files.length === 1 && !folder && path.endsWith(`/${name}`)

const isImage = (name: string): boolean => /\.(d64|g64|d71|g71|d81)$/i.test(name)

function NewImage({ machine }: { readonly machine: string }) {
  const pathId = useId()
  const titleId = useId()
  const [path = '', setPath] = useDraft(`${machine} image path`)
  const [title = '', setTitle] = useDraft(`${machine} image title`)
  const { isBusy, failure, run } = useTask()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const wanted = path.trim()
    if (wanted === '') return
    run(async () => {
      await call('machine.createImage', { machine, path: wanted, title })
      setPath(undefined)
      setTitle(undefined)
      notify(`${wanted} created, empty.`)
    })
  }
  return (
    <form className="device-form" onSubmit={submit} aria-label="Create an empty disk image">
      <label htmlFor={pathId}>New disk image</label>
      <input
        id={pathId}
        className="field data"
        value={path}
        maxLength={1_000}
        placeholder="/Usb0/empty.d64"
        spellCheck={false}
        onChange={({ target }) => setPath(target.value)}
      />
      <label htmlFor={titleId}>Title</label>
      <input
        id={titleId}
        className="field data device-title"
        value={title}
        maxLength={16}
        spellCheck={false}
        onChange={({ target }) => setTitle(target.value)}
      />
      <button type="submit" className="button" aria-disabled={isBusy || path.trim() === ''}>
        {isBusy ? 'Creating…' : 'Create'}
      </button>
      <Problem failure={failure} />
    </form>
  )
}
