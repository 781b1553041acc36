import { driveList } from '../../commands/drive/list'
import { driveLoadRom } from '../../commands/drive/loadRom'
import { driveSet } from '../../commands/drive/set'
import { fileMount } from '../../commands/file/mount'
import { machineMount } from '../../commands/machine/mount'
import { machineUnmount } from '../../commands/machine/unmount'
import { look, power, followedBy, type Tool } from '../tool'

export const drivesTool: Tool = {
  name: 'drives',
  title: 'Disk drives',
  about: 'Drives and their disks.',
  operations: {
    list: look(driveList, 'all'),
    mount: power(machineMount, 'a disk image of this computer', followedBy('type text LOAD"$",8')),
    mount_on_device: power(fileMount, 'a disk image of the machine’s own storage'),
    unmount: power(machineUnmount, 'a disk'),
    set: power(driveSet, 'power, model, reset'),
    load_rom: power(driveLoadRom, 'a file of this computer'),
  },
}
