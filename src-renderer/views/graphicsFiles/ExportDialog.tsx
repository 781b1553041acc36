import { Dialog } from 'radix-ui'
import { useMemo, useState } from 'react'
import { describeFailure, AppError } from '@shared/contract/errors'
import { graphicsExtensions } from '@shared/contract/graphics'
import type { SavedFile } from '@shared/contract/savedFile'
import { usesCharacterRom } from '@shared/graphics/artwork'
import { chosenOptions } from '@shared/graphics/exportOptions'
import type { GraphicsFormat } from '@shared/graphics/format'
import { graphicsFormats } from '@shared/graphics/formats'
import { refusalOf } from '@shared/graphics/graphicsFile'
import type { FoundSubject } from '../../client/artworkSources'
import { call } from '../../client/call'
import { returnFocus } from '../../client/focusReturn'
import { useGraphicsDialogs } from '../../client/graphicsFiles'
import { useLabels } from '../../client/labels'
import { requireFront } from '../../client/machineControl'
import { attempt, notify } from '../../client/messages'
import { fileNameOf, notifySaved } from '../../client/savedFile'
import { useAnswer } from '../../client/useAnswer'
import { useViewState } from '../../client/viewState'
import { useCharacterRom } from '../../frames/characterRom'
import { useColours } from '../../frames/screenOptions'
import { Button } from '../../widgets/Button'
import { textOf, type FieldDescription, type FieldValue } from '../../widgets/form/fields'
import { Form, FormFields, FormProblemText, SubmitButton } from '../../widgets/form/Form'
import { useForm } from '../../widgets/form/useForm'
import { ListBox } from '../../widgets/ListBox'
import { visibleText } from '../../widgets/visibleText'
import { ExportPreview } from './ExportPreview'
import {
  EXPORT_CHOICES,
  fieldsOf,
  formatsFor,
  kindOf,
  optionsOf,
  readExportChoices,
  textOfOption,
} from './exportChoices'
import { probeFormats, writeFile } from './fileWork'
import './graphicsFiles.css'

const ROW_HEIGHT = 40
const SUBJECT = 'subject'
const PROGRAM = 'viewer'

const close = () => useGraphicsDialogs.setState({ exported: null })

export function ExportDialog() {
  const subjects = useGraphicsDialogs((state) => state.exported)
  return (
    <Dialog.Root open={subjects !== null} onOpenChange={close}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        {subjects === null ? null : (
          <Dialog.Content
            className="dialog of-form files-dialog"
            aria-describedby={undefined}
            onOpenAutoFocus={focusList}
            onCloseAutoFocus={returnFocus}
          >
            <Dialog.Title>Export graphics</Dialog.Title>
            <Export subjects={subjects} />
          </Dialog.Content>
        )}
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function focusList(event: Event): void {
  const list = event.target instanceof Element ? event.target.querySelector<HTMLElement>('.list-box') : null
  if (!list) return
  event.preventDefault()
  list.focus()
}

function Export({ subjects }: { readonly subjects: readonly FoundSubject[] }) {
  const [at, setAt] = useState(0)
  const [name, setName] = useState('')
  const [choices, remember] = useViewState(EXPORT_CHOICES, readExportChoices)
  const subject = subjects[at] ?? subjects[0]
  const artworks = useMemo(() => subject?.artworks ?? [], [subject])
  const formats = useMemo(() => formatsFor(graphicsFormats, artworks), [artworks])
  const kind = kindOf(artworks)
  const format = formats.find(({ id }) => id === choices.formats[kind]) ?? formats[0]
  const values = useMemo(() => ({ ...choices.values, name }), [choices, name])
  if (!subject || !format) return null
  const set = (field: string, value: FieldValue) => {
    if (field === SUBJECT) setAt(Number(value))
    else if (field === 'name') setName(textOf(value))
    else remember({ ...choices, values: { ...choices.values, [field]: textOf(value) } })
  }
  const choose = ({ id }: GraphicsFormat) => remember({ ...choices, formats: { ...choices.formats, [kind]: id } })
  return <ExportForm {...{ subjects, at, subject, formats, format, values }} onFormat={choose} onChange={set} />
}

interface ExportFormProps {
  readonly subjects: readonly FoundSubject[]
  readonly at: number
  readonly subject: FoundSubject
  readonly formats: readonly GraphicsFormat[]
  readonly format: GraphicsFormat
  readonly values: Readonly<Record<string, string>>
  readonly onFormat: (format: GraphicsFormat) => void
  readonly onChange: (field: string, value: FieldValue) => void
}

function ExportForm({ subjects, at, subject, formats, format, values, onFormat, onChange }: ExportFormProps) {
  const { artworks } = subject
  const shownPalette = useColours()
  const names = useLabels((state) => state.names)
  const usesRom = artworks.some(usesCharacterRom)
  const rom = useCharacterRom(usesRom)
  const romCharacters = rom.bytes
  const isInFile = usesRom && format.options.includes('romCharacters')
  const isWaiting = isInFile && rom.stamp === null
  const { options, problems } = useMemo(
    () => optionsOf(format, values, { name: subject.name, shownPalette, romCharacters, names }),
    [format, values, subject, shownPalette, romCharacters, names],
  )
  const refusal = refusalOf(format, artworks)
  const asked = `${at} ${format.id}`
  const stamp = JSON.stringify({ ...options, romCharacters: rom.stamp })
  const written = useAnswer(
    asked,
    refusal === null && !isWaiting,
    () => writeFile({ format: format.id, artworks, options }),
    stamp,
  )
  const probed = useAnswer(String(at), true, () =>
    probeFormats({ formats: formats.map(({ id }) => id), artworks, options }),
  )
  const reasonOf = ({ id }: GraphicsFormat): string | null => probed.data?.refusals[id] ?? null
  const failure = written.failure === null || written.failure.code === 'CANCELLED' ? null : written.failure
  const reason = refusal ?? (failure === null ? null : describeFailure(failure))
  const form = useForm({
    fields: fieldsIn(subjects, fieldsOf(format, subject.name), problems),
    values: {
      ...Object.fromEntries(chosenOptions(format.options).map((option) => [option, textOfOption(option, values)])),
      [SUBJECT]: String(at),
    },
    onChange,
    check: () => {
      const [field, text] = Object.entries(problems)[0] ?? []
      return field === undefined || text === undefined ? null : { field, text }
    },
    send: async () => {
      if (refusal !== null) throw new AppError('INVALID', refusal)
      if (isWaiting) throw new AppError('BUSY', 'Still reading the character ROM. Try again in a moment.')
      const { bytes, leavesOut } = await writeFile({ format: format.id, artworks, options })
      const extension = graphicsExtensions.find((each) => each === format.extensions[0]) ?? 'bin'
      const { saved } = await call('graphics.saveFile', { bytes, name: fileNameOf(options.name), extension })
      if (saved === null) return
      close()
      if (format.id === PROGRAM) offerToRun(saved)
      else notifySaved(saved, leavesOut.length === 0 ? '' : `Not in the file: ${leavesOut.join(', ')}.`)
    },
  })
  return (
    <Form form={form} layout="stacked">
      <div className="files-parts">
        <ListBox
          label="Format"
          items={formats}
          keyOf={idOf}
          chosen={format.id}
          onChoose={onFormat}
          onOpen={form.submit}
          height={ROW_HEIGHT}
          render={(each) => <FormatRow format={each} reason={refusalOf(each, artworks) ?? reasonOf(each)} />}
        />
        <div className="files-side">
          <div className="files-options">
            <FormFields form={form} />
          </div>
          {reason !== null ? (
            <p className="file-preview problem" role="status">
              {reason}
            </p>
          ) : written.data === null ? (
            <p className="file-preview muted" role="status">
              Making the file…
            </p>
          ) : (
            <ExportPreview written={written.data} title={format.title} />
          )}
          {isInFile && rom.note !== null ? (
            <p className="muted" role="status">
              {rom.note}
            </p>
          ) : null}
        </div>
      </div>
      <FormProblemText form={form} />
      <div className="prompt-buttons">
        <Button label="Cancel" onClick={close} />
        <SubmitButton form={form} label="Save as…" sending="Saving…" shortcut="Ctrl+Enter" />
      </div>
    </Form>
  )
}

function offerToRun({ name, path, grant }: SavedFile): void {
  notify(`${visibleText(name)} saved.`, visibleText(path), {
    label: 'Run on the machine',
    run: () => attempt(() => call('program.runGranted', { machine: requireFront(), grant, watch: false })),
  })
}

const idOf = ({ id }: GraphicsFormat): string => id

function fieldsIn(
  subjects: readonly FoundSubject[],
  fields: readonly FieldDescription[],
  problems: Readonly<Partial<Record<string, string>>>,
): FieldDescription[] {
  const what: FieldDescription = {
    kind: 'select',
    name: SUBJECT,
    label: 'Export',
    options: subjects.map(({ title, viewTitle }, n) => ({ value: String(n), label: title, group: viewTitle })),
  }
  return [what, ...fields].map((field) => ({ ...field, error: problems[field.name] ?? null }))
}

const FormatRow = ({ format, reason }: { readonly format: GraphicsFormat; readonly reason: string | null }) => (
  <span className={reason === null ? 'format-row' : 'format-row refused'}>
    <span>{format.title}</span>
    <span className="muted" title={reason ?? undefined}>
      {reason ?? format.extensions.map((extension) => `.${extension}`).join(' ')}
    </span>
  </span>
)
