import { Copy, FolderOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../widgets/IconButton'
import { PathText } from '../widgets/PathText'
import { visibleText } from '../widgets/visibleText'
import { call } from './call'
import { attempt, notify } from './messages'
import './filePath.css'

interface FilePathProps {
  readonly path: string
  readonly children?: ReactNode
  readonly onShow: () => Promise<unknown>
}

export const FilePath = ({ path, children, onShow }: FilePathProps) => (
  <span className="file-path" title={visibleText(path)}>
    {children ?? <PathText path={path} />}
    <IconButton
      label="Copy path"
      icon={Copy}
      look="plain"
      onClick={() =>
        attempt(async () => {
          await call('window.copyText', { text: path })
          notify('Path copied.')
        })
      }
    />
    <IconButton label="Show in folder" icon={FolderOpen} look="plain" onClick={() => attempt(onShow)} />
  </span>
)
