import { fileDownload } from '../../commands/file/download'
import { fileList } from '../../commands/file/list'
import { fileUpload } from '../../commands/file/upload'
import { files, look, type Tool } from '../tool'

export const deviceTool: Tool = {
  name: 'device',
  title: 'Storage of a device',
  about: 'Files on an Ultimate.',
  operations: {
    list: look(fileList, 'a folder', { isForeign: true }),
    upload: files(fileUpload, 'a file to it'),
    download: files(fileDownload, 'a file from it'),
  },
}
