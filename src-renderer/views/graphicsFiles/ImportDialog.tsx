import { FolderOpen } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { returnFocus } from '../../client/focusReturn'
import { importGraphics, useGraphicsDialogs } from '../../client/graphicsFiles'
import { attempt } from '../../client/messages'
import { Button } from '../../widgets/Button'
import { Problem } from '../../widgets/Problem'
import { closeImport, ImportedFile } from './ImportedFile'
import './graphicsFiles.css'

export function ImportDialog() {
  const imported = useGraphicsDialogs((state) => state.imported)
  return (
    <Dialog.Root open={imported !== null} onOpenChange={closeImport}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        {imported === null ? null : (
          <Dialog.Content
            className={imported.file === null ? 'dialog of-form files-problem' : 'dialog of-form files-dialog'}
            aria-describedby={undefined}
            onCloseAutoFocus={returnFocus}
          >
            <Dialog.Title>Import graphics</Dialog.Title>
            <Problem failure={imported.failure} />
            {imported.file === null ? (
              <div className="prompt-buttons">
                <Button label="Cancel" onClick={closeImport} />
                <ChooseFile label="Choose another file…" />
              </div>
            ) : (
              <ImportedFile key={imported.id} id={imported.id} file={imported.file}>
                <ChooseFile label="Another file…" />
              </ImportedFile>
            )}
          </Dialog.Content>
        )}
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const ChooseFile = ({ label }: { readonly label: string }) => (
  <Button label={label} icon={FolderOpen} onClick={() => attempt(importGraphics)} />
)
