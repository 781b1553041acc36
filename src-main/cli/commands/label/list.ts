import { MAX_LABELS_FOUND } from '@shared/contract/labels'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, number, text, withDefault } from '../../parameters'
import { table } from '../../printed'
import { fileData, fileRow, filesShape, filesText, labelData, labelGroup as group, labelRow } from './group'

export const labelList = defineCommand({
  group,
  name: 'list',
  summary: 'List the labels of a machine’s program, and the files they come from.',
  options: {
    find: text('TEXT', 'Only labels whose name contains this.'),
    limit: withDefault(number('N', 'How many labels to list.', { min: 1, max: MAX_LABELS_FOUND }), 100),
    machine: machine('The machine.'),
  },
  data: {
    machine: 'the machine’s name',
    files: filesShape,
    total: 'how many labels there are',
    labels: '[{ name, address, size, kind }]',
  },
  examples: ['labels', 'label list --find irq', 'label list --machine vice:6502 --json'],
  run: async ({ output, signal, openSession }, { find = '', limit, machine }) => {
    const { client } = await openSession()
    const loaded = await client.call('labels.files', { machine }, signal)
    const { labels } = await client.call('labels.search', { machine, text: find === '' ? null : find, limit }, signal)
    output.result({ machine, files: loaded.files.map(fileData), total: loaded.labels, labels: labels.map(labelData) }, [
      table(loaded.files.map(fileRow), filesText(loaded)),
      table(labels.map(labelRow), find === '' ? '' : `No label has “${find}” in its name.`),
      find === '' && loaded.labels > labels.length
        ? `${labels.length} of ${loaded.labels} labels. Find others with --find, or more with --limit.`
        : '',
    ])
    return EXIT_OK
  },
})
