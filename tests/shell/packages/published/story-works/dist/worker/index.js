export default async function worker() {
  return { started: true };
}
