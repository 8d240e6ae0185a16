// Which questions the app offers; it runs this for each one in its own interpreter.
// question: { difficulty, domain, tags }. learner: { level, seenToday, weakDomains }.
function isOffered(question, learner) {
  if (question.tags.includes("retired")) return false;
  if (learner.seenToday >= 200) return false;
  const isReachable = question.difficulty <= learner.level + 1;
  return isReachable || learner.weakDomains.includes(question.domain);
}
