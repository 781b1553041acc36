import { useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react'
import { formatAddress, parseTypedAddress } from '@shared/c64/address'
import { counted } from '@shared/countedText'
import { AppError, toFailure } from '@shared/contract/errors'
import type { GraphicsFile } from '@shared/contract/graphics'
import { artworkKindTitles, usesCharacterRom, type Artwork } from '@shared/graphics/artwork'
import { artworkText } from '@shared/graphics/artworkText'
import { formatNamed, graphicsFormats } from '@shared/graphics/formats'
import { editInSheet, editLimitOf } from '../../client/editInSheet'
import { useGraphicsDialogs } from '../../client/graphicsFiles'
import { namesNow } from '../../client/labels'
import { useLimit } from '../../client/machines'
import { useAnswer } from '../../client/useAnswer'
import { ADDRESS_FIELD, keepArtworks, writeArtwork } from '../../frames/artworkInMachine'
import { useCharacterRom } from '../../frames/characterRom'
import { useGraphicsWish } from '../../frames/graphicsImage'
import { useColours } from '../../frames/screenOptions'
import { Button } from '../../widgets/Button'
import { Field } from '../../widgets/form/Field'
import type { FieldDescription } from '../../widgets/form/fields'
import { problemOf, type FormProblem } from '../../widgets/form/useForm'
import { ListBox } from '../../widgets/ListBox'
import { Problem } from '../../widgets/Problem'
import { visibleText } from '../../widgets/visibleText'
import { ArtworkPicture } from './ArtworkPicture'
import type { ReadAnswer } from './fileMessages'
import { FileProblems } from './FileProblems'
import { readFile } from './fileWork'
import { chosenPalette, heedsPalette, PALETTE_FIELD, paletteField, RECOGNISED } from './importPalette'
import { placeHint } from './placeHint'

const ROW_HEIGHT = 40
const NONE_LOADED = 'Nothing of the file was loaded.'

export const closeImport = () => useGraphicsDialogs.setState({ imported: null })

interface ImportedFileProps {
  readonly id: number
  readonly file: GraphicsFile
  readonly children: ReactNode
}

export function ImportedFile({ id, file, children }: ImportedFileProps) {
  const [format, setFormat] = useState<string | null>(null)
  const [palette, setPalette] = useState(RECOGNISED)
  const shownPalette = useColours()
  const rom = useCharacterRom(true)
  useGraphicsWish(true)
  const extension = extensionOf(file.name)
  const asked = `${format} ${palette}`
  const { data, failure } = useAnswer(
    String(id),
    true,
    async () => {
      const read = await readFile({
        bytes: file.bytes,
        extension,
        format,
        shownPalette,
        romCharacters: rom.bytes,
        palette: chosenPalette(palette, shownPalette),
      })
      return { ...read, asked }
    },
    `${asked} ${shownPalette.join()} ${rom.stamp}`,
  )
  const isRead = data?.asked === asked && failure === null
  return (
    <>
      <div className="files-name">
        <span className="data">{visibleText(file.name)}</span>
        <span className="muted">{counted(file.bytes.length, 'byte')}</span>
        {children}
      </div>
      <Problem failure={failure} />
      {data === null ? (
        <p className="muted" role="status">
          {failure === null ? 'Reading the file…' : ''}
        </p>
      ) : (
        <Contents
          {...{ id, isRead, read: data, name: baseName(file.name), romNote: rom.note, palette }}
          format={format ?? data.format ?? ''}
          onFormat={setFormat}
          onPalette={setPalette}
        />
      )}
    </>
  )
}

const extensionOf = (name: string): string => /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? ''
const baseName = (name: string): string => name.replace(/\.[^.]*$/, '').slice(0, 100)

interface ContentsProps {
  readonly id: number
  readonly isRead: boolean
  readonly read: ReadAnswer
  readonly name: string
  readonly romNote: string | null
  readonly format: string
  readonly palette: string
  readonly onFormat: (format: string) => void
  readonly onPalette: (palette: string) => void
}

function Contents({ id, isRead, read, name, romNote, format, palette, onFormat, onPalette }: ContentsProps) {
  const { likely, problems, notes, pictures, loadAddress } = read
  const artworks = useMemo(
    () => read.artworks.map((artwork) => (artwork.name === '' ? { ...artwork, name } : artwork)),
    [read, name],
  )
  const [at, setAt] = useState(0)
  const [typed, setTyped] = useState<string | null>(null)
  const artwork = artworks[at] ?? artworks[0]
  const picture = pictures[at] ?? pictures[0]
  const address = typed ?? (loadAddress === null ? '' : formatAddress(loadAddress))
  const fields = fieldsFor(likely, artwork, address, format)
  const { run, problem, forget } = useRun(id, fields)
  const unread = isRead ? null : 'The file is not read as chosen yet.'
  const valueOf: Readonly<Record<string, string>> = { [ADDRESS_FIELD]: address, [PALETTE_FIELD]: palette }
  const set = (field: string, value: string) => {
    forget()
    if (field === ADDRESS_FIELD) setTyped(value)
    else if (field === PALETTE_FIELD) onPalette(value)
    else onFormat(value)
  }
  const parts = useFirstFocus(artworks.length > 0 ? '.list-box' : 'select')
  return (
    <>
      <div className="files-parts" ref={parts}>
        <ListBox
          label="In the file"
          items={artworks}
          keyOf={(each) => String(artworks.indexOf(each))}
          chosen={artwork ? String(artworks.indexOf(artwork)) : null}
          onChoose={(each) => setAt(artworks.indexOf(each))}
          onOpen={(each) => {
            if (unread === null) run(() => keepArtworks([each]))
          }}
          height={ROW_HEIGHT}
          render={(each) => <ArtworkRow artwork={each} />}
        />
        <div className="files-side">
          <div className="files-options">
            {fields.map((field) => (
              <Field
                key={field.name}
                field={field}
                value={valueOf[field.name] ?? format}
                problem={problem?.field === field.name ? problem.text : null}
                onChange={(value) => set(field.name, String(value))}
              />
            ))}
          </div>
          {artwork && picture ? (
            <div className="file-preview scroll-pane" role="region" aria-label="Preview" tabIndex={0}>
              <ArtworkPicture pixels={picture} label={`Picture of ${artworkText(artwork)}`} />
            </div>
          ) : (
            <p className="file-preview muted" role="status">
              {format === '' ? 'Bridgedeck does not know this format. Choose what the file holds.' : NONE_LOADED}
            </p>
          )}
          {romNote !== null && artwork && usesCharacterRom(artwork) ? <p className="muted">{romNote}</p> : null}
          <FileProblems problems={problems} notes={notes} artworks={artworks} />
        </div>
      </div>
      {problem !== null && problem.field === null ? (
        <p className="problem" role="alert">
          {problem.text}
        </p>
      ) : null}
      <Buttons {...{ artworks, artwork, unread, run }} addressOf={() => readAddress(address)} />
    </>
  )
}

/** When the work is done the dialog closes, unless another file is open in it by then. */
function useRun(id: number, fields: readonly FieldDescription[]) {
  const [problem, setProblem] = useState<FormProblem | null>(null)
  const isBusy = useRef(false)
  const run = (work: () => unknown) => {
    if (isBusy.current) return
    isBusy.current = true
    setProblem(null)
    Promise.resolve()
      .then(work)
      .then(
        () => closeOf(id),
        (error: unknown) => setProblem(problemOf(error, fields)),
      )
      .finally(() => {
        isBusy.current = false
      })
  }
  return { run, isBusy, problem, forget: () => setProblem(null) }
}

const closeOf = (id: number) =>
  useGraphicsDialogs.setState(({ imported }) => (imported?.id === id ? { imported: null } : {}))

function useFirstFocus(selector: string) {
  const parts = useRef<HTMLDivElement>(null)
  const first = useEffectEvent(() => parts.current?.querySelector<HTMLElement>(selector)?.focus())
  useEffect(() => first(), [])
  return parts
}

interface ButtonsProps {
  readonly artworks: readonly Artwork[]
  readonly artwork: Artwork | undefined
  readonly unread: string | null
  /**
   * Null for none.
   * @throws AppError for what is no address
   */
  readonly addressOf: () => number | null
  readonly run: (work: () => unknown) => void
}

function Buttons({ artworks, artwork, unread, addressOf, run }: ButtonsProps) {
  const none = unread ?? (artwork ? null : NONE_LOADED)
  const writeLimit = useLimit('writeMemory')
  const count = artworks.length
  return (
    <div className="prompt-buttons">
      <Button label="Cancel" onClick={closeImport} />
      <Button
        label="Open in the editor"
        tip="Keeps it in the sheet, and edits it there"
        why={none ?? (artwork ? editLimitOf(artwork) : null)}
        onClick={() => run(() => artwork && editInSheet(artwork))}
      />
      <Button
        label="Write to the machine"
        why={none ?? writeLimit}
        onClick={() => run(() => artwork && writeArtwork(artwork, addressOf()))}
      />
      {count > 1 ? (
        <Button
          label={`Keep all ${count} in the sheet`}
          why={unread}
          onClick={() => run(() => keepArtworks(artworks))}
        />
      ) : null}
      <Button
        label="Keep in the sheet"
        look="primary"
        why={none}
        onClick={() => run(() => artwork && keepArtworks([artwork]))}
      />
    </div>
  )
}

function readAddress(typed: string): number | null {
  if (typed.trim() === '') return null
  try {
    return parseTypedAddress(typed, namesNow())
  } catch (error) {
    const { code, message, hint } = toFailure(error)
    throw new AppError(code, message, { ...(hint === undefined ? {} : { hint }), details: { field: ADDRESS_FIELD } })
  }
}

function fieldsFor(
  likely: readonly string[],
  artwork: Artwork | undefined,
  address: string,
  format: string,
): FieldDescription[] {
  const reading = graphicsFormats.filter(({ read }) => read)
  const option = ({ id, title }: { readonly id: string; readonly title: string }, group: string) => ({
    value: id,
    label: title,
    group,
  })
  const fitting = likely.flatMap((id) => reading.find((each) => each.id === id) ?? [])
  return [
    {
      kind: 'select',
      name: 'format',
      label: 'Format',
      help: 'Recognised by the contents of the file. Choose another where that is wrong.',
      options: [
        ...(format === '' ? [{ value: '', label: 'Unknown' }] : []),
        ...fitting.map((each) => option(each, 'Fits the file')),
        ...reading.filter((each) => !fitting.includes(each)).map((each) => option(each, 'Others')),
      ],
    },
    ...(heedsPalette(formatNamed(format)) ? [paletteField] : []),
    {
      kind: 'text',
      name: ADDRESS_FIELD,
      label: 'Address in the machine',
      isData: true,
      maxLength: 100,
      placeholder: 'where the VIC-II has it',
      hints: [{ text: placeHint(artwork?.kind, address, namesNow()) }],
    },
  ]
}

const ArtworkRow = ({ artwork }: { readonly artwork: Artwork }) => (
  <span className="format-row">
    <span>{visibleText(artwork.name) || artworkKindTitles[artwork.kind]}</span>
    <span className="muted">{artworkText(artwork)}</span>
  </span>
)
