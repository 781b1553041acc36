import { configDiff } from '../../commands/config/diff'
import { configFlash } from '../../commands/config/flash'
import { configGet } from '../../commands/config/get'
import { configList } from '../../commands/config/list'
import { configRestore } from '../../commands/config/restore'
import { configSave } from '../../commands/config/save'
import { configSet } from '../../commands/config/set'
import { fileCreateImage } from '../../commands/file/createImage'
import { fileDownload } from '../../commands/file/download'
import { fileFind } from '../../commands/file/find'
import { fileList } from '../../commands/file/list'
import { fileUpload } from '../../commands/file/upload'
import { change, look, power, followedBy, type Tool } from '../tool'

export const deviceTool: Tool = {
  name: 'device',
  title: 'Storage and configuration of a device',
  about: 'Files and settings of an Ultimate.',
  operations: {
    list: look(fileList, 'a folder, or one file', { isForeign: true }),
    find: look(fileFind, 'files by name', { isForeign: true, ...followedBy('run on_device, drives mount_on_device') }),
    upload: change(fileUpload, 'a file to it', followedBy('run on_device, drives mount_on_device')),
    upload_bytes: change(fileUpload, 'bytes to it as a file', { takesBytes: true }),
    download: look(fileDownload, 'a file from it'),
    create_image: power(fileCreateImage, 'an empty disk', followedBy('drives mount_on_device')),
    config_list: look(configList, 'categories of settings'),
    config_get: look(configGet, 'settings, with their choices'),
    config_set: power(configSet, 'ITEM=VALUE, several at once', followedBy('device config_flash save keeps it')),
    config_save: look(configSave, 'into a file'),
    config_diff: look(configDiff, 'against a file'),
    config_restore: power(configRestore, 'from a file'),
    config_flash: power(configFlash, 'load, save or reset'),
  },
}
