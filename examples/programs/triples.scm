;;; The triple strategy of Simply Scheme, chapter 10, for GNU Guile. It never loses at tic-tac-toe.
;;;
;;; Play it with
;;;
;;;     arena fight "cmd:guile --no-auto-compile triples.scm" monkey
;;;
;;; A triple is a winning line as the board has it: the mark on each of its squares, or the
;;; number of the square where it is free.

(use-modules (ice-9 rdelim) (ice-9 regex) (srfi srfi-1))

(define lines '((1 2 3) (4 5 6) (7 8 9) (1 4 7) (2 5 8) (3 6 9) (1 5 9) (3 5 7)))
(define preference '(5 1 3 7 9 2 4 6 8))

;;; The strategy: the square to take in a position such as "xo_______".

(define (choose position)
  (let* ((triples (find-triples position))
         (me (side-to-move position))
         (opponent (if (char=? me #\x) #\o #\x)))
    (or (winning-square triples me)
        (winning-square triples opponent)
        (first-or-none (pivots triples me))
        (threatening-square triples me opponent)
        (find (lambda (square) (any (lambda (triple) (memv square triple)) triples))
              preference))))

(define (winning-square triples side)
  (let ((found (having 2 side triples)))
    (and (pair? found) (car (free-squares (car found))))))

;; Free squares where two triples with one mark of the side each meet: forks, nearly.
(define (pivots triples side)
  (let ((singles (having 1 side triples)))
    (filter (lambda (square) (>= (count (lambda (triple) (memv square triple)) singles) 2))
            (iota 9 1))))

;; Two in a row, so that the opponent must answer, and not where the answer would be a fork.
(define (threatening-square triples me opponent)
  (let ((singles (having 1 me triples)))
    (and (pair? singles)
         (let ((free (free-squares (car singles))))
           (if (memv (first free) (pivots triples opponent)) (first free) (second free))))))

;; The triples that hold so many marks of the side, and none of the other.
(define (having number side triples)
  (filter (lambda (triple) (equal? (filter char? triple) (make-list number side))) triples))

(define (free-squares triple) (filter number? triple))

(define (first-or-none squares) (and (pair? squares) (car squares)))

;;; The board

(define (find-triples position)
  (map (lambda (line) (map (lambda (square) (place position square)) line)) lines))

(define (place position square)
  (let ((mark (string-ref position (- square 1))))
    (if (char=? mark #\_) square mark)))

(define (side-to-move position)
  (if (= (string-count position #\x) (string-count position #\o)) #\x #\o))

;;; The conversation. Of each line, which is a JSON object, some values are looked for by name.

(define (value-of name line)
  (let ((found (string-match (string-append "\"" name "\" *: *\"?([^\",} ]*)") line)))
    (and found (match:substring found 1))))

(define (answer line)
  (let ((type (value-of "type" line)))
    (cond ((and (equal? type "start") (not (equal? (value-of "game" line) "tictactoe")))
           (display "this player knows tictactoe alone\n" (current-error-port))
           (exit 1))
          ((equal? type "move")
           (format #t "{\"id\": ~a, \"move\": \"~a\"}\n"
                   (value-of "id" line)
                   (choose (value-of "position" line)))
           (force-output)))))

(let next ((line (read-line)))
  (unless (eof-object? line)
    (answer line)
    (next (read-line))))
