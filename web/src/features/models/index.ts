export { ModelPicker } from './model-picker.tsx'
export { useImageModel } from './use-image-model.ts'
export { useModelChoice } from './use-model-choice.ts'
