/// What a test says in the learner's own language.
struct Stems: Sendable {
    var placementTest: String
    var weekOrder: String
    var selectMonths: String
    var numberOrder: String
    var whichWord: @Sendable (String) -> String
    var whichNumber: @Sendable (String) -> String
    var howToWrite: @Sendable (String) -> String
    var means: @Sendable (_ word: String, _ own: String) -> String

    static let english = Stems(
        placementTest: "placement test",
        weekOrder: "Put these days in the order of the week, from Tuesday on.",
        selectMonths: "Select two names of months.",
        numberOrder: "Put these numbers in order, the smallest first.",
        whichWord: { "Which of these means “\($0)”?" },
        whichNumber: { "Which number is “\($0)”?" },
        howToWrite: { "How do you write “\($0)”?" },
        means: { "“\($0)” means “\($1)”." })

    static let spanish = Stems(
        placementTest: "prueba de nivel",
        weekOrder: "Ordena estos días de la semana a partir del martes.",
        selectMonths: "Elige los dos nombres de meses.",
        numberOrder: "Ordena estos números de menor a mayor.",
        whichWord: { "¿Cuál de estas palabras significa «\($0)»?" },
        whichNumber: { "¿Qué número es «\($0)»?" },
        howToWrite: { "¿Cómo se escribe «\($0)»?" },
        means: { "«\($0)» significa «\($1)»." })
}
