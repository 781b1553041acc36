import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, machine, required } from '../../parameters'
import { saveFile } from '../../saveFile'
import { configGroup as group, readConfiguration, someCategories } from './group'

export const configSave = defineCommand({
  group,
  name: 'save',
  summary: 'Save a machine’s configuration in a file, without its passwords.',
  positionals: { file: required(filePath('The JSON file to write.')) },
  options: { category: someCategories, machine: machine('The machine.') },
  data: { machine: 'the machine’s name', path: 'absolute path', categories: 'how many', items: 'how many' },
  examples: ["config save ultimate.json --category 'Drive A Settings' --machine ultimate:192.168.1.64"],
  run: async ({ output, signal, openSession }, { file, category, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const onCategory = (share: number, name: string): void => output.progress(share, name)
    const configuration = await readConfiguration(session, machine, category, { signal, onCategory })
    const content = JSON.stringify({ machine, savedAt: new Date().toISOString(), configuration }, null, 2)
    await saveFile(file, new TextEncoder().encode(`${content}\n`))
    const items = Object.values(configuration).reduce((sum, each) => sum + Object.keys(each).length, 0)
    const categories = Object.keys(configuration).length
    output.result(
      { machine, path: file.path, categories, items },
      `Saved ${items} settings of ${categories} categories in ${file.written}.`,
    )
    return EXIT_OK
  },
})
